#include "sim/engine/run_size.hpp"

#include <algorithm>

#include "models/bounds.hpp"
#include "scenarios/demands.hpp"
#include "scenarios/stage_requests.hpp"

namespace saturn {

namespace {

// A quarter and half of what is measured (docs/performance.md), so that whatever can end is begun.
constexpr double least_request_s = 1e-7;
constexpr double least_client_bytes = 250.0;

/// Requests of an event, or itself if it sends none.
double dates_of_event(const JobPool& pool) {
  double requests = 0.0;
  for (const Stage& stage : pool.event)
    if (const auto* infer = std::get_if<InferStage>(&stage)) requests += mean_requests(*infer);
  return std::max(1.0, requests);
}

}  // namespace

RunSize run_size(const Scenario& scenario, const RunLength& length) {
  const ClosedNetwork network = closed_network(scenario);
  const Bounds bounds = asymptotic_bounds(network);
  // All pools are as much slower than unhindered as the mix of them is.
  const double slower =
      std::max(1.0, (bounds.mixed_event_time_s + bounds.set_up_s) / (bounds.ideal_event_time_s + bounds.set_up_s));
  RunSize size{.clients = bounds.clients};
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const JobClass& jobs = network.classes[j];
    const double unhindered = jobs.clients / (jobs.ideal_event_time + jobs.set_up).value;
    const double events_per_s = jobs.arrivals ? jobs.arrivals->value : unhindered / slower;
    size.requests += events_per_s * dates_of_event(scenario.jobs[j]) * end_of_run_s(length);
  }
  size.least_time_s = least_request_s * size.requests;
  size.least_bytes = least_client_bytes * size.clients;
  return size;
}

}  // namespace saturn
