#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/plan/compare_report.hpp"
#include "reports/plan/two_scenarios_report.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/option_quantity.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/plan/planned_runs.hpp"
#include "sim/cli/run_failed.hpp"
#include "sim/plan/comparison/alternatives.hpp"
#include "sim/plan/comparison/compare_alternatives.hpp"
#include "sim/plan/comparison/compare_two.hpp"
#include "sim/plan/system_facts.hpp"
#include "sim/run/read_platform.hpp"
#include "sim/run/single_runs.hpp"

namespace saturn {

/// What `saturn compare` was asked.
struct CompareOptions {
  ScenarioOptions scenario;  ///< A, with what is changed in both
  std::string other;         ///< B; empty: A with the changes of set_b
  std::vector<std::string> set_a;
  std::vector<std::string> set_b;
  std::optional<std::string> least_difference;
  std::optional<std::string> budget;
  MachineOptions machine;
  OutputOptions output;
  bool alternatives = false;  ///< in place of a second scenario
  std::uint64_t node_cores = AlternativeDefaults{}.node_cores;
  std::optional<std::string> core_price;
};

/// CPU only, devices in the worker nodes, a service on site, the service of the scenario; or its own alternatives.
/// @throws InputError, RunFailed
ExitCode compare_with_alternatives(const CompareOptions& options);

/// Two scenarios with the same random numbers, until one is better or nobody would care.
/// @throws InputError, RunFailed
ExitCode compare_two_scenarios(const CompareOptions& options);

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
                       .facts = gather_facts(read.scenario),
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
  give(compare_answer(report), options.output);
  return ExitCode::answered;
}

namespace {

constexpr std::uint64_t least_pairs = 3;
constexpr std::uint64_t least_second_look = 8;

/// How one of the two scenarios is read.
ScenarioOptions side(const CompareOptions& options, const std::string& name, const std::vector<std::string>& own) {
  ScenarioOptions one = options.scenario;
  one.scenario = name;
  one.set.insert(one.set.end(), own.begin(), own.end());
  return one;
}

std::string name_with_changes(const std::string& name, const std::vector<std::string>& changes) {
  return changes.empty() ? name : name + " with " + joined(changes);
}

std::string two_scenarios_command(const CompareOptions& options) {
  std::string command = "saturn compare " + shell_word(options.scenario.scenario);
  if (!options.other.empty()) command += " " + shell_word(options.other);
  for (const std::string& change : options.scenario.set) command += " --set " + shell_word(change);
  for (const std::string& change : options.set_a) command += " --set-a " + shell_word(change);
  for (const std::string& change : options.set_b) command += " --set-b " + shell_word(change);
  if (options.scenario.seed) command += " --seed " + std::to_string(*options.scenario.seed);
  if (options.least_difference) command += " --least-difference " + shell_word(*options.least_difference);
  return command;
}

/// Pairs that a comparison may take: those of the scenario, or what a budget pays for.
struct PairLimits {
  std::uint64_t least = 0;
  std::uint64_t most = 0;

  /// Of few pairs the width is uncertain, and each look at it is one more chance to stop too early.
  std::uint64_t next(std::uint64_t have) const {
    return have == 0 ? least : std::min(most, std::max(least_second_look, 2 * have));
  }
  Stopping stopping() const { return least < most ? Stopping::by_width : Stopping::by_number; }
};

PairLimits limits_of(const RunControl& control, const Budget& budget) {
  const std::uint64_t most = budget.time() ? Budget::most_replications : control.max_replications;
  return {.least = std::min(most, std::max(least_pairs, control.min_replications)), .most = most};
}

}  // namespace

ExitCode compare_two_scenarios(const CompareOptions& options) {
  const std::string& name_b = options.other.empty() ? options.scenario.scenario : options.other;
  const ScenarioOptions options_a = side(options, options.scenario.scenario, options.set_a);
  const ScenarioOptions options_b = side(options, name_b, options.set_b);
  const Budget budget(options.budget);
  const ReadScenario a = load_scenario(options_a, options.output);
  ReadScenario b = load_scenario(options_b, options.output);
  const RunLimits run_limits = limits_of(options.machine);
  const RunControl& control = a.scenario.run;
  const double least =
      options.least_difference ? parse_fraction("--least-difference", *options.least_difference) : control.precision;
  refuse_to_overwrite(options.output);
  refuse_overlaps(files_of_out(options.output), files_read(a, options.scenario.scenario));
  refuse_overlaps(files_of_out(options.output), files_read(b, name_b));
  std::vector<std::string> notes;
  if (b.scenario.run.seed != control.seed) {
    notes.push_back("B is simulated with the seed of A, " + std::to_string(control.seed) + ", in place of its own, " +
                    std::to_string(b.scenario.run.seed));
    b.scenario.run.seed = control.seed;
  }

  PairLimits limits = limits_of(control, budget);
  const auto compared = [&](const PairedRuns& runs) {
    return compare_two({a.scenario, runs.a}, {b.scenario, runs.b}, control.confidence, limits.stopping());
  };
  Progress progress(options.output.quiet, options.machine.timing);
  auto result = replicate_pairs(
      {a.scenario, scenario_command("run", options_a)}, {b.scenario, scenario_command("run", options_b)},
      [&](const PairedRuns& runs) {
        if (runs.pairs == 0) return limits.next(0);
        const TwoScenarios so_far = compared(runs);
        const bool decided = !so_far.in_common || decision_of(so_far.numbers.front(), least) != Decision::undecided;
        return decided ? runs.pairs : limits.next(runs.pairs);
      },
      {.processes = options.machine.processes,
       .limits = run_limits,
       .progress = progress.callback(),
       .deadline = budget.deadline()});
  progress.end();
  if (const auto* failure = std::get_if<RunFailure>(&result)) {
    if (failure->kind != FailureKind::out_of_budget) throw RunFailed(*failure);
    const std::vector<UnconfirmedScenario> both{
        {.name = name_with_changes(options.scenario.scenario, options_a.set), .scenario = a.scenario},
        {.name = name_with_changes(name_b, options_b.set), .scenario = b.scenario}};
    return give_unconfirmed({.provenance = provenance_of(a, two_scenarios_command(options)),
                             .budget_s = budget.time()->value,
                             .scenarios = both},
                            options.output);
  }
  const PairedRuns& runs = std::get<PairedRuns>(result);
  refuse_broken_laws(summarise(runs.a, control.confidence), scenario_command("run", options_a));
  refuse_broken_laws(summarise(runs.b, control.confidence), scenario_command("run", options_b));
  // The same as a comparison that may take just so many.
  if (runs.out_of_time) limits = {.least = std::min(limits.least, runs.pairs), .most = runs.pairs};

  TwoScenariosReport report{
      .provenance = provenance_of(
          a, two_scenarios_command(options) + settings_of_replications(control, runs.pairs, runs.out_of_time)),
      .name_a = name_with_changes(options.scenario.scenario, options_a.set),
      .name_b = name_with_changes(name_b, options_b.set),
      .title_a = a.scenario.title,
      .title_b = b.scenario.title,
      .sha256_b = provenance_of(b, "").scenario_sha256,
      .comparison = compared(runs),
      .least_difference = least,
      .budget_s = budget.time() ? std::optional(budget.time()->value) : std::nullopt,
      .out_of_time = runs.out_of_time,
      .notes = std::move(notes)};
  report.decision = decision_of(report.comparison.numbers.front(), least);
  give(two_scenarios_answer(report), options.output);
  return report.comparison.in_common && report.decision == Decision::undecided ? ExitCode::precision_not_reached
                                                                               : ExitCode::answered;
}

namespace {

ExitCode say_what_is_there() {
  std::cerr
      << "saturn: compare needs to know what. A second scenario, or --set-b, is compared with the first; "
         "--alternatives "
         "puts CPU only,\na GPU in each worker node, a service on site and the service of the scenario into one table. "
         "For example\n"
         "  saturn compare protodune-big-batch protodune-small-batch\n"
         "  saturn compare first-steps --set-b /servers/0/devices/count=8\n"
         "  saturn compare protodune-big-batch --alternatives\n";
  return ExitCode::usage;
}

ExitCode say_one_at_a_time() {
  std::cerr
      << "saturn: --alternatives compares one scenario with what it is not; leave out the second scenario, --set-a "
         "and --set-b, or --alternatives.\n";
  return ExitCode::usage;
}

ExitCode compare(const CompareOptions& options) {
  const bool two = !options.other.empty() || !options.set_b.empty();
  if (options.alternatives) {
    return two || !options.set_a.empty() ? say_one_at_a_time() : compare_with_alternatives(options);
  }
  return two ? compare_two_scenarios(options) : say_what_is_there();
}

}  // namespace

void add_compare_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "compare",
                  "Two scenarios; or the same jobs with CPU only, GPUs of their own, and a service");
  const auto options = std::make_shared<CompareOptions>();
  add_scenario_options(verb, options->scenario);
  verb.add_option("other", options->other,
                  "The scenario to compare with; without it, the first with the changes of --set-b")
      .type_name("SCENARIO");
  verb.add_option("--set-a", options->set_a, "Change one value of the first scenario alone; may be repeated")
      .type_name("/POINTER=VALUE")
      .repeatable();
  verb.add_option("--set-b", options->set_b, "Change one value of the second scenario alone; may be repeated")
      .type_name("/POINTER=VALUE")
      .repeatable();
  verb.add_option("--least-difference", options->least_difference,
                  "Relative difference below which nobody decides, for example \"1 %\"; default is /run/precision of "
                  "the first")
      .type_name("SHARE");
  add_budget_option(verb, options->budget,
                    "Pairs of replications until the two differ, or this wall time is spent, for example \"30 s\", in "
                    "place of /run/max_replications; it ends --alternatives too. Without one pair the "
                    "formulas answer, with exit code 4");
  verb.add_flag("--alternatives", options->alternatives,
                "Compare CPU only, a GPU in each worker node, a service on site, the service of the scenario; or those "
                "of /alternatives");
  verb.add_option("--node-cores", options->node_cores,
                  "With --alternatives: cores of a worker node, default 32: the jobs on them share its GPU")
      .whole_number(1, 4096)
      .type_name("N");
  verb.add_option("--core-price", options->core_price,
                  "With --alternatives: rent of one core instead of /costs/core, for example \"0.03 USD/h\"")
      .type_name("PRICE");
  add_machine_options(verb, options->machine);
  add_former_jobs(verb, options->machine.processes);
  add_output_options(verb, options->output);
  verb.footer(
      "Examples:\n"
      "  saturn compare protodune-big-batch protodune-small-batch\n"
      "  saturn compare first-steps --set-b /servers/0/devices/count=8\n"
      "  saturn compare protodune-big-batch --alternatives\n"
      "  saturn compare protodune-big-batch --alternatives --core-price '0.03 USD/h'\n"
      "  saturn compare mine.json --alternatives --set /jobs/0/count=400 --format json");
  verb.answers(chosen, [options] { return compare(*options); });
}

}  // namespace saturn
