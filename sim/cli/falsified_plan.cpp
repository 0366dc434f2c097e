#include "sim/cli/falsified_plan.hpp"

#include <span>
#include <utility>
#include <vector>

#include "sim/cli/candidate_runs.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/planned_runs.hpp"
#include "sim/plan/falsify.hpp"

namespace saturn {

namespace {

template <class Test>
Results simulated(const ChosenTest<Test>& chosen, RunOptions options) {
  options.command = with_settings(options.command, chosen.settings);
  PlannedRuns runs(chosen.scenario, std::move(options));
  return runs.evaluate(std::span(&chosen.scenario, 1)).front();
}

ModelTest predicted_model(const ChosenTest<ModelTest>& chosen, const RunOptions& options, const std::string& with_seed,
                          double fitted_half_width) {
  if (!chosen.test.why_not.empty()) return chosen.test;
  ModelTest test = predicted(chosen, simulated(chosen, options), fitted_half_width);
  for (std::string& word : test.command) word = shell_word(word);
  if (!chosen.settings.empty()) test.again = with_settings(options.command, chosen.settings) + with_seed;
  return test;
}

}  // namespace

Falsification falsified_plan(const Scenario& scenario, const RunOptions& options, std::optional<std::uint64_t> seed,
                             double half_width, double fitted_half_width) {
  const std::string with_seed = seed ? " --seed " + std::to_string(*seed) : "";
  Falsification falsification{.margin = falsifying_margin(half_width), .fitted_half_width = fitted_half_width};
  const ChosenJobs jobs = choose_jobs(scenario, falsification.margin);
  falsification.why_no_jobs = jobs.why_not;
  if (jobs.why_not.empty()) {
    const Results summary = simulated(jobs.chosen, options);
    falsification.jobs = predicted(jobs.chosen, summary, falsification.margin, fitted_half_width);
    falsification.jobs->again = with_settings(options.command, jobs.chosen.settings) + with_seed;
  }
  for (const ChosenTest<ModelTest>& chosen : choose_models(scenario, falsification.margin))
    falsification.models.push_back(predicted_model(chosen, options, with_seed, fitted_half_width));
  return falsification;
}

}  // namespace saturn
