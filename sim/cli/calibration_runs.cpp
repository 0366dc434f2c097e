#include "sim/cli/calibration_runs.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "models/calibrated_results.hpp"
#include "scenarios/fit_draws.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/run_failed.hpp"
#include "sim/run/single_runs.hpp"

namespace saturn {

namespace {

// Matched draws give a linear effect exactly with any number above the parameters'; the rest averages noise.
constexpr std::size_t fewest_draws = 16;
constexpr std::size_t usual_draws = 32;
constexpr std::size_t most_draws = 64;

std::size_t draws_for(const UsedFit& fit, std::size_t replications) {
  const std::size_t wanted = std::clamp(replications, fewest_draws, usual_draws);
  return std::min(std::max(wanted, 2 * fit.parameters.values.size() + 4), most_draws);
}

/// A drawn scenario as its partner was simulated.
SingleRun run_of(DrawnScenario drawn, std::uint32_t partner, const Replicated& original,
                 const ScenarioOptions& options) {
  ScenarioOptions changed = options;
  for (const Override& change : drawn.changes) changed.set.push_back(text_of(change));
  if (drawn.scenario.run.cycles != original.cycles)
    changed.set.push_back("/run/cycles=" + std::to_string(original.cycles));
  drawn.scenario.run.cycles = original.cycles;
  const std::string command = scenario_command("run", changed) + " --seed " + std::to_string(drawn.scenario.run.seed) +
                              " --replica " + std::to_string(partner);
  return {.scenario = std::move(drawn.scenario), .replica = partner, .command = command};
}

RunOutcome outcome_of(std::variant<RunOutcome, RunFailure> result, const SingleRun& run, double confidence) {
  if (const auto* failure = std::get_if<RunFailure>(&result)) throw RunFailed(*failure);
  RunOutcome outcome = std::get<RunOutcome>(std::move(result));
  refuse_broken_laws(summarise(std::span(&outcome, 1), confidence), run.command);
  return outcome;
}

}  // namespace

void add_calibration(Replicated& result, const ReadScenario& read, const ScenarioOptions& options,
                     const RunOptions& run_options) {
  const double confidence = read.scenario.run.confidence;
  std::vector<DrawnRuns> fits;
  std::vector<SingleRun> runs;
  for (const std::size_t number : uncertain_fits(read)) {
    const UsedFit& fit = read.fits[number];
    DrawnScenarios drawn = drawn_scenarios(read, number, draws_for(fit, result.outcomes.size()));
    DrawnRuns one{.about = fit.about,
                  .factor = interval_factor(fit.parameters, confidence),
                  .draws = std::move(drawn.draws),
                  .outcomes = {},
                  .partners = {}};
    for (DrawnScenario& scenario : drawn.scenarios) {
      const auto partner = static_cast<std::uint32_t>(one.partners.size() % result.outcomes.size());
      one.partners.push_back(partner);
      runs.push_back(run_of(std::move(scenario), partner, result, options));
    }
    fits.push_back(std::move(one));
  }
  if (fits.empty()) return;
  auto results = simulate_each(runs, run_options);
  std::size_t next = 0;
  for (DrawnRuns& fit : fits)
    for (std::size_t r = 0; r < fit.partners.size(); ++r, ++next)
      fit.outcomes.push_back(outcome_of(std::move(results[next]), runs[next], confidence));
  widen(result.summary, result.outcomes, fits);
}

}  // namespace saturn
