#include "sim/cli/explain.hpp"

#include <utility>

#include "sim/cli/command_line.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/run_failed.hpp"
#include "sim/plan/neighbours.hpp"
#include "sim/run/read_platform.hpp"

namespace saturn {

namespace {

/// A neighbour with the scenario that the reader made of it.
struct Variant {
  Neighbour neighbour;
  std::string command;  ///< that repeats it
  Scenario scenario;
};

ScenarioOptions varied(ScenarioOptions options, const Neighbour& neighbour) {
  for (const Override& setting : neighbour.settings) options.set.push_back(text_of(setting));
  return options;
}

std::string complaints_of(const InputError& error) {
  return "the scenario would be refused: " + in_one_line(error);
}

/// As many replications as the original has, over windows as long, so that each has its partner.
void pair_with(const Replicated& original, Variant& variant) {
  RunControl& run = variant.scenario.run;
  if (run.cycles != original.cycles) variant.command += " --set /run/cycles=" + std::to_string(original.cycles);
  run.cycles = original.cycles;
  run.min_replications = run.max_replications = original.summary.replications;
}

std::vector<Variant> variants_of(const ReadScenario& read, const Replicated& original, const ScenarioOptions& options,
                                 Explanation& explanation) {
  Neighbours found = neighbours(read.scenario);
  explanation.left_out = std::move(found.left_out);
  std::vector<Variant> variants;
  for (Neighbour& neighbour : found.changes) {
    const ScenarioOptions changed = varied(options, neighbour);
    try {
      Scenario scenario = read_scenario_file(changed.scenario, overrides_of(changed), read_platform_file).scenario;
      variants.push_back({.neighbour = std::move(neighbour),
                          .command = scenario_command("run", changed),
                          .scenario = std::move(scenario)});
      pair_with(original, variants.back());
    } catch (const InputError& refused) {
      explanation.left_out.push_back({.what = neighbour.what, .why = complaints_of(refused)});
    }
  }
  return variants;
}

/// What a failure leaves to say of a variant; only the user's own limits are no reason to stop.
std::string why_not(RunFailure failure, const Variant& variant, const std::string& command) {
  // The runner wrote what it added behind the command that it was given.
  failure.command = variant.command + failure.command.substr(command.size());
  if (failure.kind == FailureKind::out_of_budget) return failure.message;
  const bool says_why = failure.kind == FailureKind::out_of_time || failure.kind == FailureKind::out_of_memory ||
                        failure.kind == FailureKind::killed || failure.kind == FailureKind::no_answer;
  if (!says_why) throw RunFailed(failure);
  return failure.message + "; again: " + failure.command;
}

}  // namespace

Explanation explained(const ReadScenario& read, const Replicated& original, const ScenarioOptions& options,
                      const RunOptions& run_options) {
  Explanation explanation;
  const std::vector<Variant> variants = variants_of(read, original, options, explanation);
  std::vector<Scenario> scenarios;
  for (const Variant& variant : variants) scenarios.push_back(variant.scenario);
  auto results = replicate(scenarios, run_options);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const Neighbour& neighbour = variants[i].neighbour;
    ExplainedChange change{.neighbour = neighbour, .effect = {}, .why_not = {}};
    if (auto* failure = std::get_if<RunFailure>(&results[i])) {
      change.why_not = why_not(std::move(*failure), variants[i], run_options.command);
    } else {
      const auto& result = std::get<Replicated>(results[i]);
      refuse_broken_laws(result.summary, variants[i].command);
      change.effect = paired_change(original.outcomes, result.outcomes, neighbour.calls, read.scenario.run.confidence);
    }
    explanation.changes.push_back(std::move(change));
  }
  sort_by_gain(explanation.changes);
  return explanation;
}

}  // namespace saturn
