#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "models/results/run_outcome.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/recording/run_trace.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/run/replications.hpp"

namespace saturn {

/// One replication of one scenario.
struct SingleRun {
  Scenario scenario{};
  std::uint32_t replica = 0;
  std::string command{};  ///< repeats it, seed and replica included
};

/// Simulates each in a forked child, as a replication of that number runs in replicate().
/// @returns (n) outcomes or failures, in order
std::vector<std::variant<RunOutcome, RunFailure>> simulate_each(std::span<const SingleRun> runs,
                                                                const RunOptions& options);

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

/// A scenario, and the arguments that reproduce it for messages of failures.
struct PairedScenario {
  Scenario scenario{};
  std::string command{};
};

/// Replications of two scenarios, by number; a scenario in which nothing is drawn has one, which stands for all.
struct PairedRuns {
  std::vector<RunOutcome> a;
  std::vector<RunOutcome> b;
  std::uint64_t pairs = 0;
  bool out_of_time = false;  ///< RunOptions::deadline ended them
};

/// Tells how many pairs there should be, from those that there are; as many as there are, or fewer, end it.
using PairsWanted = std::function<std::uint64_t(const PairedRuns&)>;

/// Runs replication i of one scenario beside replication i of the other, in rounds of equally many; with the same seed
/// both share the random numbers of what they have in common.
/// @param options  its `command` is not used, and its `deadline` ends the rounds
/// @returns the pairs, at least one, or the first failure
std::variant<PairedRuns, RunFailure> replicate_pairs(const PairedScenario& a, const PairedScenario& b,
                                                     const PairsWanted& wanted, const RunOptions& options);

}  // namespace saturn
