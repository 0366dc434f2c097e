#pragma once

#include <span>
#include <vector>

#include "models/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/run/replicate.hpp"

namespace saturn {

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

}  // namespace saturn
