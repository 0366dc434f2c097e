#pragma once

#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

/// Clients per device that the formulas give at once, as a plan would clip them: mean value analysis where times are
/// random and it applies, else the bound; not past saturation unless that is asked. What a plan's answer moves with
/// when a parameter changes.
/// @returns not rounded; infinite where nothing saturates
/// Cost: that of mean value analysis, milliseconds for thousands of clients
double instant_streams_per_gpu(const Scenario& scenario, const PlanQuestion& question);

}  // namespace saturn
