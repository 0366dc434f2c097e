#pragma once

#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "models/run_outcome.hpp"
#include "sim/engine/run_size.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/run/replicate.hpp"

namespace saturn {

/// The simulator behind replicate(), so that the rules of replication are tested without an engine.
struct Simulator {
  std::function<RunOutcome(const Scenario&, const Replica&)> run;  ///< called in a forked child
  std::function<RunLength(const Scenario&)> length;                ///< called in the parent, once a scenario
  /// Called in the parent before a run of that length is begun; absent: runs of any size are.
  std::function<RunSize(const Scenario&, const RunLength&)> size{};
};

/// replicate() on any simulator.
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
