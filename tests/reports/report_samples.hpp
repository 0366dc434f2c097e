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

/// Jobs that saturate gke/t4, emtrk by perf_analyzer, and a model that cannot be measured.
Falsification sample_falsification();

/// Event time by a service law (elasticity 1) and a bandwidth (-0.5).
Sensitivity sample_sensitivity();
SensitivityRow sample_sensitivity_row(const std::string& pointer, double elasticity, double low, double high,
                                      double share);

/// Three GPUs for 7500 events/s; with two of them times only grow.
OpenPlanReport sample_arrivals_plan();

/// Whether a piece stands in a text.
inline bool holds(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

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
