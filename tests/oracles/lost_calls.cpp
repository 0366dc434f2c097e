#include "tests/oracles/lost_calls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/oracles/level_chain.hpp"

namespace saturn::tests {

namespace {

/// The share of arrivals that find more work ahead than they wait for. @param u  see the header
double loss_by_deadline(double load, double u) {
  return (1.0 - (1.0 - load) * u) / (1.0 + load * u);
}

}  // namespace

double erlang_b(std::size_t servers, double load) {
  double lost = 1.0;
  for (std::size_t k = 1; k <= servers; ++k) lost = load * lost / (static_cast<double>(k) + load * lost);
  return lost;
}

Overflow overflow(std::size_t servers, double load) {
  const double mean = load * erlang_b(servers, load);
  const double variance = mean * (1.0 - mean + load / (static_cast<double>(servers) + 1.0 - load + mean));
  const double peakedness = variance / mean;
  const double equivalent = variance + 3.0 * peakedness * (peakedness - 1.0);
  return {.mean = mean,
          .variance = variance,
          .equivalent_load = equivalent,
          .equivalent_servers = equivalent * (mean + peakedness) / (mean + peakedness - 1.0) - mean - 1.0};
}

ErlangA erlang_a(const ImpatientQueue& queue) {
  const double lambda = queue.arrivals_per_s;
  const double all_per_s = static_cast<double>(queue.servers) * queue.services_per_s;
  // Up to a factor, from that of c requests on, so that none is too small or too large for a double.
  double chance = 1.0;
  double sum = 0.0;
  double busy_sum = 0.0;
  for (std::size_t n = queue.servers; n-- > 0;) {
    chance *= static_cast<double>(n + 1) * queue.services_per_s / lambda;
    sum += chance;
    busy_sum += static_cast<double>(n) * chance;
  }
  const double served_at_once = sum;
  double all_busy = 0.0;
  double waiting = 0.0;
  double served = served_at_once;
  double served_wait = 0.0;
  double reaches = 1.0;  // chance to be served from this place in the queue
  double takes_s = 0.0;  // how long that lasts
  chance = 1.0;
  constexpr double nothing = 1e-18;
  for (double ahead = 0.0; chance > nothing * (sum + all_busy) || ahead < 10.0; ++ahead) {
    all_busy += chance;
    waiting += ahead * chance;
    const double leaves_per_s = all_per_s + (ahead + 1.0) * queue.give_ups_per_s;
    reaches *= (all_per_s + ahead * queue.give_ups_per_s) / leaves_per_s;
    takes_s += 1.0 / leaves_per_s;
    served += chance * reaches;
    served_wait += chance * reaches * takes_s;
    chance *= lambda / leaves_per_s;
  }
  sum += all_busy;
  waiting /= sum;
  return {.abandoned = queue.give_ups_per_s * waiting / lambda,
          .waits = all_busy / sum,
          .waiting = waiting,
          .wait_s = waiting / lambda,
          .served_wait_s = served_wait / served,
          .busy = (busy_sum + static_cast<double>(queue.servers) * all_busy) / sum};
}

Orbit retrials(const RetrialQueue& queue) {
  const LevelChain chain(queue.servers + 1, [&](std::size_t orbit, std::size_t busy) {
    std::vector<Jump> jumps;
    if (busy < queue.servers) {
      jumps.push_back({.level = orbit, .phase = busy + 1, .per_s = queue.arrivals_per_s});
      if (orbit > 0) {
        const double callers = queue.law == RetrialQueue::Law::linear ? static_cast<double>(orbit) : 1.0;
        jumps.push_back({.level = orbit - 1, .phase = busy + 1, .per_s = callers * queue.retries_per_s});
      }
    } else {
      jumps.push_back({.level = orbit + 1, .phase = busy, .per_s = queue.arrivals_per_s});
    }
    if (busy > 0)
      jumps.push_back({.level = orbit, .phase = busy - 1, .per_s = static_cast<double>(busy) * queue.services_per_s});
    return jumps;
  });
  const double mean = chain.mean_level();
  return {.mean = mean,
          .variance = chain.mean([&](std::size_t orbit, std::size_t) {
            const double distance = static_cast<double>(orbit) - mean;
            return distance * distance;
          }),
          .all_busy = chain.mean([&](std::size_t, std::size_t busy) { return busy == queue.servers ? 1.0 : 0.0; }),
          .idle = chain.mean([](std::size_t orbit, std::size_t busy) { return orbit + busy == 0 ? 1.0 : 0.0; })};
}

Orbit mm1_retrials(const RetrialQueue& queue) {
  const double lambda = queue.arrivals_per_s;
  const double load = lambda / queue.services_per_s;
  const double rate = queue.retries_per_s;
  if (queue.law == RetrialQueue::Law::constant) {
    const double r = load * (1.0 + lambda / rate);
    return {.mean = load * (r + lambda / rate) / (1.0 - r),
            .variance = std::numeric_limits<double>::quiet_NaN(),
            .all_busy = load,
            .idle = 1.0 - r};
  }
  const double left = 1.0 - load;
  return {.mean = load * (lambda + rate * load) / (left * rate),
          .variance = load * (lambda + rate * load * (1.0 + load - load * load)) / (rate * left * left),
          .all_busy = load,
          .idle = std::pow(left, 1.0 + lambda / rate)};
}

double mm1_loss_by_deadline(double arrivals_per_s, double services_per_s, double deadline_s) {
  const double load = arrivals_per_s / services_per_s;
  // (1 − ρ)U = 1 − ρe^{−(μ−λ)τ}, written so that ρ may be 1.
  const double spare_per_s = services_per_s - arrivals_per_s;
  const double grown = spare_per_s == 0.0 ? services_per_s * deadline_s
                                          : -std::expm1(-spare_per_s * deadline_s) * services_per_s / spare_per_s;
  return loss_by_deadline(load, 1.0 + load * grown);
}

double md1_loss_by_deadline(double arrivals_per_s, double service_s, double deadline_s) {
  double u = 0.0;
  for (double k = 0.0; k * service_s <= deadline_s; ++k) {
    const double left = arrivals_per_s * (deadline_s - k * service_s);
    u += std::pow(-left, k) / std::tgamma(k + 1.0) * std::exp(left);
  }
  return loss_by_deadline(arrivals_per_s * service_s, u);
}

double tries_per_call(double failed, std::size_t retries) {
  double tries = 0.0;
  double reached = 1.0;
  for (std::size_t i = 0; i <= retries; ++i, reached *= failed) tries += reached;
  return tries;
}

double success_of_calls(double failed, std::size_t retries) {
  return 1.0 - std::pow(failed, static_cast<double>(retries + 1));
}

}  // namespace saturn::tests
