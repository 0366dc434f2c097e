#include "models/measurement.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace saturn;

namespace {

Estimate about(double mean) {
  return {.mean = mean, .low = mean - 1, .high = mean + 1, .confidence = 0.95, .replications = 3};
}

}  // namespace

TEST_CASE("every measured quantity stands beside the simulated number of its own name") {
  Results run;
  run.all_jobs.set("event_time_s", about(120));
  run.all_jobs.set("events_per_s", about(2));
  ModelResults model;
  model.set("requests_per_s", about(30));
  model.set("items_per_s", about(40));
  model.set("ingress_bytes_per_s", about(80));
  model.set("latency_s", about(50));
  model.set("latency_p50_s", about(51));
  model.set("latency_p95_s", about(52));
  model.set("latency_p99_s", about(53));
  model.set("queue_s", about(60));
  model.set("compute_s", about(70));
  const std::map<std::string_view, double> wanted{
      {"event_time_s", 120}, {"module_time_s", 20},  {"events_per_s", 2},   {"requests_per_s", 30},
      {"items_per_s", 40},   {"latency_mean_s", 50}, {"latency_p50_s", 51}, {"latency_p95_s", 52},
      {"latency_p99_s", 53}, {"queue_s", 60},        {"compute_s", 70},     {"ingress_bytes_per_s", 80}};
  CHECK(measured_quantities().size() == wanted.size());
  for (const auto& [name, mean] : wanted) {
    CAPTURE(name);
    const MeasuredQuantity* quantity = find_measured_quantity(name);
    REQUIRE(quantity != nullptr);
    const Estimate simulated = simulated_number(*quantity, run, {.model = &model, .nonml_s = 100});
    CHECK(simulated.mean == mean);
    CHECK(simulated.low == mean - 1);
    CHECK(simulated.high == mean + 1);
  }
  CHECK(find_measured_quantity("latency_p90_s") == nullptr);
}
