#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "models/run_outcome.hpp"
#include "scenarios/scenario.hpp"
#include "sim/run/replicate.hpp"

namespace saturn {

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
