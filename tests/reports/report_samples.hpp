#pragma once

#include "reports/plan/plan_report.hpp"
#include "reports/run/run_report.hpp"

namespace saturn {

/// mean ± half_width at 95 % from three replications.
Estimate sample_estimate(double mean, double half_width);

/// One pool, one model, two resources; numbers that are easy to recognise.
RunReport sample_run_report();

/// A model that batches dynamically: 10 ms of latency, half of its requests in full batches of 8.
ModelResults sample_batching_model();

/// Two changes with results, one without, one left out.
Explanation sample_explanation();

PlanReport sample_plan_report();

}  // namespace saturn
