#include "reports/compare_report.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/budget.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/compare_options.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/option_quantity.hpp"
#include "sim/cli/planned_runs.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/unconfirmed_answer.hpp"
#include "sim/cli/written_files.hpp"
#include "sim/plan/compare_alternatives.hpp"
#include "sim/plan/system_facts.hpp"
#include "sim/run/read_platform.hpp"

namespace saturn {

namespace {

std::string alternatives_command(const CompareOptions& options) {
  std::string command = reproducing_command("compare", options.scenario) + " --alternatives";
  if (options.node_cores != AlternativeDefaults{}.node_cores) {
    command += " --node-cores " + std::to_string(options.node_cores);
  }
  if (options.core_price) command += " --core-price " + shell_word(*options.core_price);
  return command;
}

/// An alternative that the user wrote down has to be sound; one that was made may turn out not to be possible.
[[noreturn]] void refuse(const Alternative& alternative, const InputError& error) {
  std::vector<Complaint> complaints = error.complaints();
  for (Complaint& complaint : complaints) {
    complaint.source = "alternative \"" + alternative.name + "\": " + complaint.source;
  }
  throw InputError(complaints);
}

AlternativeScenario read_alternative(Alternative alternative, const Scenario& original,
                                     const ScenarioOptions& options) {
  if (!alternative.why_not.empty()) return {.about = std::move(alternative), .scenario = {}};
  if (alternative.cpu_only) {
    Scenario scenario = cpu_only_scenario(original);
    return {.about = std::move(alternative), .scenario = std::move(scenario)};
  }
  std::vector<Override> overrides = overrides_of(options);
  overrides.insert(overrides.end(), alternative.settings.begin(), alternative.settings.end());
  try {
    Scenario scenario = read_scenario_file(options.scenario, overrides, read_platform_file).scenario;
    return {.about = std::move(alternative), .scenario = std::move(scenario)};
  } catch (const InputError& error) {
    if (!original.alternatives.empty()) refuse(alternative, error);
    alternative.why_not = in_one_line(error);
    return {.about = std::move(alternative), .scenario = {}};
  }
}

}  // namespace

ExitCode compare_with_alternatives(const CompareOptions& options) {
  const Budget budget(options.budget);
  std::optional<UsdPerHour> core_price;
  if (options.core_price) core_price = parse_price("--core-price", *options.core_price);
  const ReadScenario read = load_scenario(options.scenario, options.output);
  const RunLimits limits = limits_of(options.machine);
  refuse_to_overwrite(options.output);
  refuse_overlaps(files_of_out(options.output), files_read(read, options.scenario.scenario));

  std::vector<AlternativeScenario> alternatives_read;
  for (Alternative& one : alternatives(read.scenario, {.node_cores = options.node_cores})) {
    alternatives_read.push_back(read_alternative(std::move(one), read.scenario, options.scenario));
  }
  Progress progress(options.output.quiet, options.machine.timing);
  PlannedRuns runs(read.scenario, {.processes = options.machine.processes,
                                   .limits = limits,
                                   .command = scenario_command("run", options.scenario),
                                   .progress = progress.callback(),
                                   .deadline = budget.deadline()});
  CompareReport report{.provenance = provenance_of(read, alternatives_command(options)),
                       .facts = facts_of(read.scenario),
                       .comparison = {}};
  try {
    report.comparison = compare_alternatives(
        alternatives_read, core_price, [&](std::span<const Scenario> scenarios) { return runs.evaluate(scenarios); });
  } catch (const OutOfBudget&) {
    progress.end();
    UnconfirmedReport left{.provenance = report.provenance, .budget_s = budget.time()->value};
    for (const AlternativeScenario& one : alternatives_read)
      if (one.scenario) left.scenarios.push_back({.name = one.about.name, .scenario = *one.scenario});
    return give_unconfirmed(left, options.output);
  }
  progress.end();
  give({.table = [&](TextStyle style) { return compare_table(report, style); },
        .json = [&] { return compare_json(report); },
        .csv = [&] { return compare_csv(report); }},
       options.output);
  return ExitCode::answered;
}

}  // namespace saturn
