#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "models/results/results.hpp"
#include "models/results/run_outcome.hpp"
#include "models/values/units.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/run_length.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/formula/system.hpp"
#include "sim/run/run_failure.hpp"

namespace saturn {

/// How replicate() runs.
struct RunOptions {
  unsigned processes = 0;  ///< forked runs at once; 0 = one a core
  RunLimits limits{};
  /// How often a scenario's windows are doubled while the event time still drifts in most of its replications.
  unsigned most_extensions = 3;
  std::uint32_t first_replica = 0;  ///< number of the first replication
  bool whole = false;               ///< no farm is answered by a cell
  /// Whether quantiles are asked for. Rates and means alone need shorter windows of large systems, whose quantiles are
  /// too small.
  bool quantiles = true;
  /// Every scenario is answered by its cell with about so many streams, unchecked: what is compared with a scenario
  /// that such a cell answered. Those that have none fail as no_answer.
  std::optional<double> cell_streams{};
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
  std::optional<std::uint64_t> cycles{};  ///< RunControl::cycles that was simulated, extensions included
  bool out_of_time = false;  ///< RunOptions::deadline ended it: the same as with its number of replications at most
  Stopping stopping = Stopping::by_number;
};

/// Runs replications of each scenario, in forked children, until the scenario's precision or its largest number of
/// replications is reached. Replication i of a scenario is the same run whatever `processes` is and whichever scenarios
/// stand beside it; the number of replications is decided in fixed rounds, so results do not depend on scheduling.
/// Large farms are answered by a cell, see sim/run/cells.hpp.
/// @returns (n) one result or failure a scenario, in order
std::vector<std::variant<Replicated, RunFailure>> replicate(std::span<const Scenario> scenarios,
                                                            const RunOptions& options);

/// The simulator behind replicate(), so that the rules of replication are tested without an engine.
struct Simulator {
  std::function<RunOutcome(const System&, const Replica&)> run;  ///< called in a forked child
  std::function<RunLength(const System&)> length;                ///< called in the parent, once a scenario
  /// Called in the parent before a run of that length is begun; absent: runs of any size are.
  std::function<RunSize(const System&, const RunLength&)> size{};
};

/// True when a run of that size cannot end within the limits.
bool is_too_large(const RunSize& size, const RunLimits& limits);

/// replicate() on any simulator, every scenario as a whole.
std::vector<std::variant<Replicated, RunFailure>> replicate_with(const Simulator& simulator,
                                                                 std::span<const Scenario> scenarios,
                                                                 const RunOptions& options);

/// How many replications a scenario should have next, from those it has.
/// The half-width of an interval falls like 1/√n, so n·(half-width/precision)² are expected to suffice; at most twice
/// as many as now, because a variance from a few replications is itself uncertain, but at least 8: each further look at
/// an uncertain width is one more chance to stop too early.
/// @param have                 n, >= 1
/// @param relative_half_width  reached with them [1]
/// @returns n when the precision or the largest number is reached, else more
std::uint64_t replications_wanted(const RunControl& control, std::uint64_t have, double relative_half_width);

}  // namespace saturn
