#pragma once

#include "reports/plan_report.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

/// The planner's rows as the report shows them.
std::vector<MethodRow> method_rows(const std::vector<PlanRow>& rows);

/// The plan as the report shows it; provenance is the caller's to add.
PlanReport plan_report(const Plan& plan, const PlanQuestion& question, const Scenario& scenario,
                       const SystemFacts& facts);

}  // namespace saturn
