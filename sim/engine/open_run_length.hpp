#pragma once

#include "scenarios/scenario.hpp"
#include "sim/engine/simulate.hpp"

namespace saturn {

/// The length of a run in which events arrive from outside: see docs/models/open-loop.md.
/// @param cycle_s  event time that the bounds expect of the closed pools, or of an open one that waits for nobody [s]
/// @param least_events  that the window should hold [1]
RunLength open_run_length(const Scenario& scenario, double cycle_s, double least_events);

}  // namespace saturn
