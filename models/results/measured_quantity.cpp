#include "models/results/measured_quantity.hpp"

#include <algorithm>
#include <array>

namespace saturn {

namespace {

constexpr double milli = 1e3;
constexpr double nano = 1e-9;

using OfJobs = Key<Subject::jobs>;
using OfModel = Key<Subject::model>;

constexpr std::array<MeasuredQuantity, 12> quantities{{
    {"event_time_s", "event time", "s", 1.0, OfJobs("event_time_s")},
    {"module_time_s", "ML module", "s", 1.0, OfJobs("event_time_s"), true},
    {"events_per_s", "events/s", "", 1.0, OfJobs("events_per_s")},
    {"requests_per_s", "requests/s", "", 1.0, OfModel("requests_per_s")},
    {"items_per_s", "items/s", "", 1.0, OfModel("items_per_s")},
    {"ingress_bytes_per_s", "data in", "GB/s", nano, OfModel("ingress_bytes_per_s")},
    {"latency_mean_s", "mean latency", "ms", milli, OfModel("latency_s")},
    {"latency_p99_s", "p99 latency", "ms", milli, OfModel("latency_p99_s")},
    {"latency_p50_s", "p50 latency", "ms", milli, OfModel("latency_p50_s")},
    {"latency_p95_s", "p95 latency", "ms", milli, OfModel("latency_p95_s")},
    {"queue_s", "queue", "ms", milli, OfModel("queue_s")},
    {"compute_s", "compute", "ms", milli, OfModel("compute_s")},
}};

}  // namespace

std::span<const MeasuredQuantity> measured_quantities() {
  return quantities;
}

const MeasuredQuantity* find_measured_quantity(std::string_view name) {
  const auto* found =
      std::find_if(quantities.begin(), quantities.end(), [&](const MeasuredQuantity& one) { return one.name == name; });
  return found == quantities.end() ? nullptr : found;
}

Estimate simulated_number(const MeasuredQuantity& quantity, const Results& results, const ComparedPart& part) {
  if (const auto* of_model = std::get_if<OfModel>(&quantity.simulated)) return (*part.model)[*of_model];
  Estimate number = results.all_jobs[std::get<OfJobs>(quantity.simulated)];
  if (!quantity.module) return number;
  number.mean -= part.nonml_s;
  number.low -= part.nonml_s;
  number.high -= part.nonml_s;
  return number;
}

}  // namespace saturn
