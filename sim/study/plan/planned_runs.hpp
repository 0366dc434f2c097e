#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/falsify.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/search/search.hpp"
#include "sim/run/replications.hpp"

namespace saturn {

/// Simulations that a search or a sensitivity asks for. One that gives no result is that candidate's own misfortune; an
/// interrupt and a broken law end everything.
class CandidateRuns {
 public:
  /// Whether replications are kept one by one, for paired differences.
  enum class Keep { summaries, replications };

  /// @param options  its `command` reproduces the user's scenario
  explicit CandidateRuns(RunOptions options, Keep keep = Keep::summaries) : options_(std::move(options)), keep_(keep) {}

  /// (n) one result a scenario, in order.
  /// @throws OutOfBudget       the deadline came before each scenario had a replication
  /// @throws RunFailed         interrupted
  /// @throws std::logic_error  a law is broken, with the command that repeats it
  std::vector<SearchedRun> evaluate(std::span<const SearchedScenario> scenarios);

  /// The same as a planner takes it; lives as long as this object.
  EvaluateEach evaluator() {
    return [this](std::span<const SearchedScenario> scenarios) { return evaluate(scenarios); };
  }

 private:
  RunOptions options_;
  Keep keep_;
};

/// By how much inputs may be off that do not say so themselves, relative [1].
inline constexpr double assumed_uncertainty = 0.1;

/// A command with more --set options.
std::string with_settings(std::string command, const std::vector<Override>& settings);

/// The simulations that a planner asks for: it gets their summaries, and every failure and broken law stops the plan.
class PlannedRuns {
 public:
  /// @param original  the user's scenario, of which the planner's are variations
  /// @param options   its `command` reproduces the original
  PlannedRuns(const Scenario& original, RunOptions options);

  /// @throws OutOfBudget       the deadline came before each scenario had a replication
  /// @throws RunFailed         a simulation gave no result; its command carries the variation as --set
  /// @throws std::logic_error  a law is broken
  std::vector<Results> evaluate(std::span<const Scenario> scenarios);

 private:
  std::string command_of(const Scenario& variation) const;

  const Scenario& original_;
  RunOptions options_;
};

/// Chooses the measurements that would contradict a plan, and simulates what they would give.
/// @param options            their `command` reproduces the scenario but for its seed
/// @param seed               that was given on the command line; the commands that repeat a prediction carry it
/// @param half_width         of the predicted clients per device, relative [1]
/// @param fitted_half_width  the part of it that fitted parameters leave open; 0: they are exact [1]
/// @throws RunFailed         a simulation gave no result; its command carries what was changed
/// @throws std::logic_error  a law is broken
Falsification falsified_plan(const Scenario& scenario, const RunOptions& options, std::optional<std::uint64_t> seed,
                             double half_width, double fitted_half_width);

}  // namespace saturn
