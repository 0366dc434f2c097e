#pragma once

#include "reports/plan_report.hpp"
#include "reports/run_report.hpp"
#include "reports/validation_report.hpp"

namespace saturn {

/// mean ± half_width at 95 % from three replications.
Estimate sample_estimate(double mean, double half_width);

/// One pool, one model, two resources; numbers that are easy to recognise.
RunReport sample_run_report();

PlanReport sample_plan_report();

}  // namespace saturn
