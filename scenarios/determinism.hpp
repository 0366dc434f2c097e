#pragma once

#include "scenarios/scenario.hpp"

namespace saturn {

/// True when no time in the scenario varies from draw to draw.
bool has_constant_times(const Scenario& scenario);

/// True when nothing at all is drawn: constant times, staggered starts, no dispatch by lot. All replications are then
/// the same run.
bool is_deterministic(const Scenario& scenario);

}  // namespace saturn
