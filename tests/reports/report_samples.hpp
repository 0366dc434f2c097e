#pragma once

#include <string>
#include <utility>

#include "reports/answer/answer.hpp"
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

/// What people read of an answer with --details, without where it is from.
std::string shown(Answer answer);

/// The same of the parts that a function adds: shown_of([&](Answer& answer) { add_models(answer, models, {}); })
template <class Adds>
std::string shown_of(const Adds& adds) {
  Answer answer;
  adds(answer);
  return shown(std::move(answer));
}

}  // namespace saturn
