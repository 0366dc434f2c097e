#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "models/run_outcome.hpp"
#include "scenarios/scenario.hpp"
#include "sim/run/replicate.hpp"

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

}  // namespace saturn
