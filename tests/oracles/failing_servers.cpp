#include "tests/oracles/failing_servers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/oracles/level_chain.hpp"

namespace saturn::tests {

QueueMeans mm1_with_breakdowns(const FailingServers& queue) {
  const double lambda = queue.arrivals_per_s;
  const double mu = queue.services_per_s;
  const double changes = queue.failures_per_s + queue.repairs_per_s;
  const double present =
      lambda * (1.0 + mu * queue.failures_per_s / (changes * changes)) / (mu * queue.availability() - lambda);
  return {.present = present, .response_s = present / lambda, .empty = queue.availability() - lambda / mu};
}

QueueMeans mmc_with_breakdowns(const FailingServers& queue) {
  const LevelChain chain(queue.servers + 1, [&](std::size_t present, std::size_t up) {
    std::vector<Jump> jumps{{.level = present + 1, .phase = up, .per_s = queue.arrivals_per_s}};
    if (const std::size_t served = std::min(present, up); served > 0)
      jumps.push_back({.level = present - 1, .phase = up, .per_s = static_cast<double>(served) * queue.services_per_s});
    if (up > 0)
      jumps.push_back({.level = present, .phase = up - 1, .per_s = static_cast<double>(up) * queue.failures_per_s});
    if (up < queue.servers) {
      const auto down = static_cast<double>(queue.servers - up);
      jumps.push_back({.level = present, .phase = up + 1, .per_s = down * queue.repairs_per_s});
    }
    return jumps;
  });
  const double present = chain.mean_level();
  return {.present = present,
          .response_s = present / queue.arrivals_per_s,
          .empty = chain.mean([](std::size_t level, std::size_t) { return level == 0 ? 1.0 : 0.0; })};
}

Moments completion_time(const Moments& service, double failures_per_s, double repairs_per_s) {
  const double longer = 1.0 + failures_per_s / repairs_per_s;
  return {.mean = service.mean * longer,
          .square =
              service.square * longer * longer + 2.0 * failures_per_s * service.mean / (repairs_per_s * repairs_per_s)};
}

double repeated_completion_s(double service_s, double failures_per_s, double repairs_per_s) {
  return (1.0 / failures_per_s + 1.0 / repairs_per_s) * std::expm1(failures_per_s * service_s);
}

QueueMeans mg1(double arrivals_per_s, const Moments& service) {
  const double load = arrivals_per_s * service.mean;
  const double present = load + arrivals_per_s * arrivals_per_s * service.square / (2.0 * (1.0 - load));
  return {.present = present, .response_s = present / arrivals_per_s, .empty = 1.0 - load};
}

std::vector<double> machines_down(std::size_t machines, std::size_t repairers, double failures_per_s,
                                  double repairs_per_s) {
  std::vector<double> chances{1.0};
  for (std::size_t down = 0; down < machines; ++down) {
    const double fail = static_cast<double>(machines - down) * failures_per_s;
    chances.push_back(chances.back() * fail / (static_cast<double>(std::min(down + 1, repairers)) * repairs_per_s));
  }
  const double sum = std::accumulate(chances.begin(), chances.end(), 0.0);
  for (double& chance : chances) chance /= sum;
  return chances;
}

double at_least_up(std::size_t k, const std::vector<double>& down) {
  double sum = 0.0;
  for (std::size_t j = 0; j + k < down.size(); ++j) sum += down[j];
  return sum;
}

}  // namespace saturn::tests
