#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "models/results.hpp"
#include "models/run_outcome.hpp"
#include "models/units.hpp"
#include "scenarios/scenario.hpp"
#include "sim/run/run_failure.hpp"

namespace saturn {

/// How replicate() runs.
struct RunOptions {
  unsigned processes = 0;  ///< forked runs at once; 0 = one a core
  RunLimits limits{};
  /// How often a scenario's windows are doubled while the event time still drifts in most of its replications.
  unsigned most_extensions = 3;
  std::uint32_t first_replica = 0;  ///< number of the first replication
  /// Arguments that reproduce the scenario ("run file.json --set ..."); failures append seed and replica.
  std::string command{};
  /// Called when a run has ended: finished and expected runs so far.
  std::function<void(std::uint32_t done, std::uint32_t expected)> progress{};
  /// At which running replications are given up, and what is complete is the answer. A scenario without one that is
  /// complete fails as out_of_budget.
  Deadline deadline{};
};

/// All replications of one scenario.
struct Replicated {
  Results summary;
  std::vector<RunOutcome> outcomes;  ///< by replication: what a paired comparison with another scenario needs
  bool precision_reached = true;
  double asked_precision = 0.0;
  std::uint64_t cycles = 0;  ///< RunControl::cycles that was simulated, extensions included
  bool out_of_time = false;  ///< RunOptions::deadline ended it: the same as with its number of replications at most
};

/// Runs replications of each scenario, in forked children, until the scenario's precision or its largest number of
/// replications is reached. Replication i of a scenario is the same run whatever `processes` is and whichever scenarios
/// stand beside it; the number of replications is decided in fixed rounds, so results do not depend on scheduling.
/// @returns (n) one result or failure a scenario, in order
std::vector<std::variant<Replicated, RunFailure>> replicate(std::span<const Scenario> scenarios,
                                                            const RunOptions& options);

}  // namespace saturn
