#include <iostream>
#include <memory>

#include "reports/compare_report.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/facts.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/option_checks.hpp"
#include "sim/cli/option_quantity.hpp"
#include "sim/cli/planned_runs.hpp"
#include "sim/cli/progress.hpp"
#include "sim/plan/compare_alternatives.hpp"
#include "sim/run/read_platform.hpp"

namespace saturn {

namespace {

struct CompareOptions {
  ScenarioOptions scenario;
  MachineOptions machine;
  OutputOptions output;
  bool alternatives = false;
  std::uint64_t node_cores = AlternativeDefaults{}.node_cores;
  std::optional<std::string> core_price;
};

std::string command_of(const CompareOptions& options) {
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

std::string texts_of(const InputError& error) {
  std::string text;
  for (const Complaint& complaint : error.complaints()) text += (text.empty() ? "" : " ") + complaint.text;
  return text;
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
    alternative.why_not = texts_of(error);
    return {.about = std::move(alternative), .scenario = {}};
  }
}

ExitCode say_what_is_there() {
  std::cerr
      << "saturn: compare needs to know what: --alternatives puts CPU only, a GPU in each worker node, a service on "
         "site\nand the service of the scenario into one table, for example\n"
         "  saturn compare protodune-big-batch --alternatives\n";
  return ExitCode::usage;
}

ExitCode compare(const CompareOptions& options) {
  if (!options.alternatives) return say_what_is_there();
  std::optional<UsdPerHour> core_price;
  if (options.core_price) core_price = parse_price("--core-price", *options.core_price);
  const ReadScenario read = load_scenario(options.scenario, options.output);
  const RunLimits limits = limits_of(options.machine);
  refuse_to_overwrite(options.output);

  std::vector<AlternativeScenario> alternatives_read;
  for (Alternative& one : alternatives(read.scenario, {.node_cores = options.node_cores})) {
    alternatives_read.push_back(read_alternative(std::move(one), read.scenario, options.scenario));
  }
  Progress progress(options.output.quiet, options.machine.timing);
  PlannedRuns runs(read.scenario, {.processes = options.machine.processes,
                                   .limits = limits,
                                   .command = scenario_command("run", options.scenario),
                                   .progress = progress.callback()});
  const SystemFacts facts = facts_of(read.scenario);
  const CompareReport report{
      .provenance = provenance_of(read, command_of(options)),
      .title = facts.title,
      .jobs = facts.jobs,
      .clients = facts.clients,
      .device_word = facts.device_word,
      .comparison = compare_alternatives(alternatives_read, core_price, [&](std::span<const Scenario> scenarios) {
        return runs.evaluate(scenarios);
      })};
  progress.end();
  give({.table = [&](TextStyle style) { return compare_table(report, style); },
        .json = [&] { return compare_json(report); },
        .csv = [&] { return compare_csv(report); }},
       options.output);
  return ExitCode::answered;
}

}  // namespace

void add_compare_command(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("compare", "The same jobs with CPU only, GPUs of their own, and a service");
  const auto options = std::make_shared<CompareOptions>();
  add_scenario_options(*verb, options->scenario);
  verb->add_flag(
      "--alternatives", options->alternatives,
      "Compare CPU only, a GPU in each worker node, a service on site, the service of the scenario; or those "
      "of /alternatives");
  verb->add_option("--node-cores", options->node_cores,
                   "Cores of a worker node, default 32: the jobs on them share its GPU")
      ->check(whole_number(1, 4096))
      ->type_name("N");
  verb->add_option("--core-price", options->core_price, "Rent of one core instead of /costs/core, for example \"0.03 USD/h\"")
      ->type_name("PRICE");
  add_machine_options(*verb, options->machine);
  add_output_options(*verb, options->output);
  verb->footer(
      "Examples:\n"
      "  saturn compare protodune-big-batch --alternatives\n"
      "  saturn compare protodune-big-batch --alternatives --core-price '0.03 USD/h'\n"
      "  saturn compare mine.json --alternatives --set /jobs/0/count=400 --format json");
  verb->callback([options, &chosen] { chosen = [options] { return compare(*options); }; });
}

}  // namespace saturn
