#pragma once

#include "reports/open_plan_report.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/open_search.hpp"

namespace saturn {

/// The plan for events that arrive, as the report shows it; provenance is the caller's to add.
/// @param loss  tolerated [1]
OpenPlanReport open_plan_report(const OpenPlan& plan, const Scenario& scenario, double loss);

}  // namespace saturn
