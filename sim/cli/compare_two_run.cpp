#include <algorithm>
#include <utility>

#include "models/words/texts.hpp"
#include "reports/two_scenarios_report.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/budget.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/compare_options.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/option_quantity.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/run_failed.hpp"
#include "sim/cli/unconfirmed_answer.hpp"
#include "sim/cli/written_files.hpp"
#include "sim/plan/compare_two.hpp"
#include "sim/run/paired_replications.hpp"

namespace saturn {

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

/// What repeats a comparison that a budget ended, or that went beyond the scenario's largest number.
std::string settings_of_budget(const RunControl& control, std::uint64_t pairs, bool out_of_time) {
  if (!out_of_time && pairs <= control.max_replications) return {};
  const std::string number = std::to_string(pairs);
  return " --set /run/max_replications=" + number +
         (pairs < control.min_replications ? " --set /run/min_replications=" + number : "");
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
      .provenance =
          provenance_of(a, two_scenarios_command(options) + settings_of_budget(control, runs.pairs, runs.out_of_time)),
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
  give({.table = [&](TextStyle style) { return two_scenarios_table(report, style); },
        .json = [&] { return two_scenarios_json(report); },
        .csv = [&] { return two_scenarios_csv(report); }},
       options.output);
  return report.comparison.in_common && report.decision == Decision::undecided ? ExitCode::precision_not_reached
                                                                               : ExitCode::answered;
}

}  // namespace saturn
