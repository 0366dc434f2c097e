#pragma once

#include "scenarios/read_scenario.hpp"
#include "sim/cli/common_options.hpp"
#include "sim/run/replicate.hpp"

namespace saturn {

/// Simulates the scenario with drawn parameters of each of its fits, and widens the intervals of the result by what
/// that changes. Nothing happens without uncertain fits.
/// @param options      the scenario's own, for the commands that repeat single runs
/// @param run_options  how to run
/// @throws RunFailed         a run gave no result
/// @throws InputError        fitted.too_uncertain
/// @throws std::logic_error  a law is broken
/// Cost: 16 to 64 runs a fit
void add_calibration(Replicated& result, const ReadScenario& read, const ScenarioOptions& options,
                     const RunOptions& run_options);

}  // namespace saturn
