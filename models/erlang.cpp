#include "models/erlang.hpp"

#include <cmath>
#include <stdexcept>

namespace saturn {

double erlang_c(const MmcQueue& queue) {
  if (queue.servers < 1) throw std::invalid_argument("erlang_c: a queue has at least one server");
  if (!std::isfinite(queue.arrivals_per_s) || queue.arrivals_per_s < 0.0) {
    throw std::invalid_argument("erlang_c: the arrival rate is finite and >= 0");
  }
  if (!std::isfinite(queue.service_s) || queue.service_s <= 0.0) {
    throw std::invalid_argument("erlang_c: the service time is finite and > 0");
  }
  const double offered = queue.arrivals_per_s * queue.service_s;
  const double load = offered / static_cast<double>(queue.servers);
  if (load >= 1.0) throw std::invalid_argument("erlang_c: arrivals exceed the servers, so the queue grows for ever");
  double blocked = 1.0;
  for (std::size_t i = 1; i <= queue.servers; ++i) {
    blocked = offered * blocked / (static_cast<double>(i) + offered * blocked);
  }
  return blocked / (1.0 - load * (1.0 - blocked));
}

double mean_wait_s(const MmcQueue& queue) {
  const double capacity_per_s = static_cast<double>(queue.servers) / queue.service_s;
  return erlang_c(queue) / (capacity_per_s - queue.arrivals_per_s);
}

double mean_response_s(const MmcQueue& queue) {
  return mean_wait_s(queue) + queue.service_s;
}

}  // namespace saturn
