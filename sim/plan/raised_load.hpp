#pragma once

#include <vector>

#include "scenarios/scenario.hpp"

namespace saturn {

/// The same scenario with its jobs times a factor (rounded to whole jobs, at least one a pool); where events arrive
/// from outside, with so many times their rate.
/// @param factor  > 0
Scenario with_load(Scenario scenario, double factor);

/// What --set says of a scenario's load: numbers of jobs and rates of arrivals. Profiles and recordings have no single
/// rate, and are left out.
std::vector<Override> load_settings(const Scenario& scenario);

}  // namespace saturn
