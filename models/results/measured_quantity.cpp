#include "models/results/measured_quantity.hpp"

#include <algorithm>
#include <array>

namespace saturn {

namespace {

constexpr double milli = 1e3;
constexpr double nano = 1e-9;

using OfJobs = Key<Subject::jobs>;
using OfModel = Key<Subject::model>;

constexpr std::array<MeasuredQuantity, 16> quantities{{
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
    {"server_mean_s", "mean in server", "ms", milli, OfModel("latency_s"), false, true},
    {"server_p50_s", "p50 in server", "ms", milli, OfModel("latency_p50_s"), false, true},
    {"server_p95_s", "p95 in server", "ms", milli, OfModel("latency_p95_s"), false, true},
    {"server_p99_s", "p99 in server", "ms", milli, OfModel("latency_p99_s"), false, true},
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
  const auto* of_model = std::get_if<OfModel>(&quantity.simulated);
  Estimate number =
      of_model != nullptr ? (*part.model)[*of_model] : results.all_jobs[std::get<OfJobs>(quantity.simulated)];
  double outside_s = quantity.module ? part.nonml_s : 0.0;
  if (quantity.in_server)
    for (const OfModel on_the_way : {OfModel("send_s"), OfModel("host_s"), OfModel("receive_s")})
      outside_s += (*part.model)[on_the_way].mean;
  number.mean -= outside_s;
  number.low -= outside_s;
  number.high -= outside_s;
  return number;
}

}  // namespace saturn
