#pragma once

#include <cstdint>
#include <variant>

#include "scenarios/scenario.hpp"
#include "sim/engine/run_trace.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/run/replicate.hpp"

namespace saturn {

/// Date at which a replication of the scenario ends, unless its windows are made longer because it drifts [s].
double end_of_replication_s(const Scenario& scenario);

/// Two cycles (event times that the bound expects) from the middle of a replication on, where its warm-up is over; with
/// arrivals from outside, as much of a hundredth of the window. Without samples.
TraceWindow steady_window(const Scenario& scenario);

/// A whole replication, warm-up included, without spans. @param samples  > 0
TraceWindow whole_run_window(const Scenario& scenario, std::size_t samples);

/// Simulates one replication in a forked child, as replicate() would under that number, and records a window of it.
/// @param options  limits and command
std::variant<TracedRun, RunFailure> trace_run(const Scenario& scenario, std::uint32_t replica,
                                              const TraceWindow& window, const RunOptions& options);

}  // namespace saturn
