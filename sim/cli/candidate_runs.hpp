#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/cli/common_options.hpp"
#include "sim/plan/search.hpp"
#include "sim/run/replicate.hpp"

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

}  // namespace saturn
