#include "models/measurement.hpp"

#include <algorithm>
#include <array>

namespace saturn {

namespace {

Estimate module_time(const RunSummary& run, const ComparedPart& part) {
  Estimate time = run.all_jobs.event_time.mean_s;
  time.mean -= part.nonml_s;
  time.low -= part.nonml_s;
  time.high -= part.nonml_s;
  return time;
}

constexpr double milli = 1e3;
constexpr double nano = 1e-9;

constexpr std::array<MeasuredQuantity, 12> quantities{{
    {"event_time_s", "event time", "s", 1.0, false,
     [](const RunSummary& run, const ComparedPart&) { return run.all_jobs.event_time.mean_s; }},
    {"module_time_s", "ML module", "s", 1.0, false, module_time},
    {"events_per_s", "events/s", "", 1.0, false,
     [](const RunSummary& run, const ComparedPart&) { return run.all_jobs.events_per_s; }},
    {"requests_per_s", "requests/s", "", 1.0, true,
     [](const RunSummary&, const ComparedPart& part) { return part.model->requests_per_s; }},
    {"items_per_s", "items/s", "", 1.0, true,
     [](const RunSummary&, const ComparedPart& part) { return part.model->items_per_s; }},
    {"ingress_bytes_per_s", "data in", "GB/s", nano, true,
     [](const RunSummary&, const ComparedPart& part) { return part.model->ingress_bytes_per_s; }},
    {"latency_mean_s", "mean latency", "ms", milli, true,
     [](const RunSummary&, const ComparedPart& part) { return part.model->latency.mean_s; }},
    {"latency_p99_s", "p99 latency", "ms", milli, true,
     [](const RunSummary&, const ComparedPart& part) { return part.model->latency.p99_s; }},
    {"latency_p50_s", "p50 latency", "ms", milli, true,
     [](const RunSummary&, const ComparedPart& part) { return part.model->latency.p50_s; }},
    {"latency_p95_s", "p95 latency", "ms", milli, true,
     [](const RunSummary&, const ComparedPart& part) { return part.model->latency.p95_s; }},
    {"queue_s", "queue", "ms", milli, true,
     [](const RunSummary&, const ComparedPart& part) { return part.model->queue_s; }},
    {"compute_s", "compute", "ms", milli, true,
     [](const RunSummary&, const ComparedPart& part) { return part.model->compute_s; }},
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

}  // namespace saturn
