#pragma once

#include "reports/explanation.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/cli/common_options.hpp"
#include "sim/run/replicate.hpp"

namespace saturn {

/// Simulates what one change at a time would gain (see sim/plan/neighbours.hpp): as many replications as the original
/// had, with the same random numbers and windows, all variants in parallel.
/// @param read      the original, and `options` what it was read from
/// @param original  its result
/// @returns the changes, best first; a variant that the reader refuses is left out with its complaints, one that passes
///          the limits of time or memory has no result
/// @throws RunFailed         a simulation was interrupted or failed through our fault
/// @throws std::logic_error  a variant breaks a law
Explanation explained(const ReadScenario& read, const Replicated& original, const ScenarioOptions& options,
                      const RunOptions& run_options);

}  // namespace saturn
