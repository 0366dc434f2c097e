#include "tests/oracles/fluid_queues.hpp"

#include <algorithm>
#include <cmath>

namespace saturn::tests {

FluidQueue on_off_queue(double peak, double capacity, double on_per_s, double off_per_s) {
  const double positive = peak * on_per_s / (on_per_s + off_per_s) / capacity;
  const double decay = off_per_s / (peak - capacity) - on_per_s / capacity;
  return {.positive = positive, .decay_per = decay, .mean = positive / decay};
}

FluidQueue fluid_with_breakdowns(const FailingServers& queue) {
  // A source of rate μ, on while the server is down, into a queue that drains at μ − λ: the level rises by λ and falls
  // by μ − λ.
  return on_off_queue(queue.services_per_s, queue.services_per_s - queue.arrivals_per_s, queue.failures_per_s,
                      queue.repairs_per_s);
}

Backlog ramp_up(const RampUp& ramp) {
  const double lacking = ramp.load_per_s / ramp.replica_per_s - ramp.first_replicas;
  Backlog backlog{.steps = static_cast<std::size_t>(std::max(0.0, std::ceil(lacking / ramp.step_replicas)))};
  const auto spare_after = [&](std::size_t steps) {
    return (ramp.first_replicas + static_cast<double>(steps) * ramp.step_replicas) * ramp.replica_per_s -
           ramp.load_per_s;
  };
  for (std::size_t j = 0; j < backlog.steps; ++j)
    backlog.peak -= spare_after(j) * (j == 0 ? ramp.first_delay_s : ramp.period_s);
  if (backlog.peak > 0.0) backlog.drained_s = backlog.peak / spare_after(backlog.steps);
  return backlog;
}

}  // namespace saturn::tests
