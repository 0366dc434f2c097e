#include "models/queueing/closed_formulas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "models/queueing/best_split.hpp"

namespace saturn {

namespace {

// Newton's steps are exact between kinks, of which programmes of this size have a few.
constexpr int most_newton_steps = 100;
constexpr double relative_tolerance = 1e-13;

double clients_of(const ClosedNetwork& network) {
  double clients = 0.0;
  for (const JobClass& c : network.classes) clients += c.clients;
  return clients;
}

double check(const ClosedNetwork& network) {
  if (network.classes.empty()) throw std::invalid_argument("asymptotic_bounds: a network without job classes");
  const double clients = clients_of(network);
  if (!(clients > 0.0)) throw std::invalid_argument("asymptotic_bounds: a network without clients");
  for (const JobClass& c : network.classes) {
    if (!(least_event_time(c).value > 0.0)) {
      throw std::invalid_argument("asymptotic_bounds: the events of job class " + c.name + " take no time");
    }
  }
  return clients;
}

/// Of each class: what a client's cycle takes at least, waiting for what grows with the clients included [s].
std::vector<double> least_cycles_s(const ClosedNetwork& network, const Matrix& demand) {
  std::vector<double> cycles;
  for (std::size_t j = 0; j < network.classes.size(); ++j) {
    const JobClass& c = network.classes[j];
    double cycle_s = (least_event_time(c) + c.set_up).value;
    for (std::size_t r = 0; r < network.resources.size(); ++r)
      if (network.resources[r].grows_with_clients) cycle_s = std::max(cycle_s, c.clients * demand(j, r));
    cycles.push_back(cycle_s);
  }
  return cycles;
}

/// Of each class [1/s].
std::vector<double> most_rates(const ClosedNetwork& network, const std::vector<double>& cycles_s) {
  std::vector<double> most;
  for (std::size_t j = 0; j < cycles_s.size(); ++j) most.push_back(network.classes[j].clients / cycles_s[j]);
  return most;
}

/// Least mean event time at whatever mix: clients are in events or between two, so that N <= Σ X·(R + set-up), and no
/// more events end than the resources can carry.
double least_mean_event_time_s(const ClosedNetwork& network, const std::vector<double>& cycles_s, double clients) {
  const std::vector<double> most = most_rates(network, cycles_s);
  double time_s = 0.0;
  for (std::size_t j = 0; j < network.classes.size(); ++j) time_s = std::max(time_s, cycles_s[j]);
  for (int step = 0; step < most_newton_steps; ++step) {
    std::vector<double> worth;
    for (const JobClass& c : network.classes) worth.push_back(time_s + c.set_up.value);
    const MostEvents events = most_events(network, worth, most);
    double events_per_s = 0.0;
    double set_up = 0.0;
    for (std::size_t j = 0; j < events.rates.size(); ++j) {
      events_per_s += events.rates[j];
      set_up += events.rates[j] * network.classes[j].set_up.value;
    }
    const double next_s = (clients - set_up) / events_per_s;
    // From above the steps come down on the bound, from below one step leads above it.
    if (std::abs(next_s - time_s) <= relative_tolerance * time_s) break;
    time_s = next_s;
  }
  return time_s;
}

}  // namespace

Bounds asymptotic_bounds(const ClosedNetwork& network) {
  Bounds bounds;
  bounds.clients = check(network);
  const Matrix demand = demands(network);
  std::vector<double> demand_rate(demand.columns(), 0.0);
  double unhindered_rate = 0.0;
  double set_up_rate = 0.0;
  double ideal_rate = 0.0;
  double ideal_set_up_rate = 0.0;
  for (std::size_t j = 0; j < network.classes.size(); ++j) {
    const JobClass& c = network.classes[j];
    const double rate = c.clients / (least_event_time(c) + c.set_up).value;
    unhindered_rate += rate;
    set_up_rate += rate * c.set_up.value;
    for (std::size_t r = 0; r < demand_rate.size(); ++r) demand_rate[r] += rate * demand(j, r);
    const double of_mean = c.clients / (c.ideal_event_time + c.set_up).value;
    ideal_rate += of_mean;
    ideal_set_up_rate += of_mean * c.set_up.value;
  }
  bounds.set_up_s = set_up_rate / unhindered_rate;
  bounds.ideal_event_time_s = bounds.clients / ideal_rate - ideal_set_up_rate / ideal_rate;
  bounds.least_event_time_s = bounds.clients / unhindered_rate - bounds.set_up_s;

  for (std::size_t r = 0; r < network.resources.size(); ++r) {
    const double mixed = demand_rate[r] / unhindered_rate;
    if (network.resources[r].grows_with_clients) {
      bounds.own_event_time_s = std::max(bounds.own_event_time_s, bounds.clients * mixed - bounds.set_up_s);
    } else if (mixed > 0.0) {
      bounds.knees.push_back({.resource = r, .demand_s = mixed});
    }
  }
  std::stable_sort(bounds.knees.begin(), bounds.knees.end(),
                   [](const Knee& a, const Knee& b) { return a.demand_s > b.demand_s; });

  bounds.mixed_event_time_s = std::max(bounds.least_event_time_s, bounds.own_event_time_s);
  for (Knee& knee : bounds.knees) knee.clients = (bounds.mixed_event_time_s + bounds.set_up_s) / knee.demand_s;
  if (!bounds.knees.empty()) {
    bounds.mixed_event_time_s =
        std::max(bounds.mixed_event_time_s, bounds.clients * bounds.knees.front().demand_s - bounds.set_up_s);
  }
  bounds.event_time_s = bounds.mixed_event_time_s;
  bounds.events_per_s = bounds.clients / (bounds.event_time_s + bounds.set_up_s);
  if (network.classes.size() == 1) return bounds;
  const std::vector<double> cycles_s = least_cycles_s(network, demand);
  bounds.event_time_s = least_mean_event_time_s(network, cycles_s, bounds.clients);
  const std::vector<double> most = most_rates(network, cycles_s);
  bounds.events_per_s = most_events(network, std::vector<double>(most.size(), 1.0), most).worth;
  return bounds;
}

std::vector<double> most_busy(const ClosedNetwork& network, const Bounds& bounds) {
  constexpr std::size_t looked_at = 24;
  std::vector<double> busy;
  if (network.classes.size() == 1) {
    for (const Knee& knee : bounds.knees) busy.push_back(std::min(1.0, bounds.events_per_s * knee.demand_s));
    return busy;
  }
  const Matrix demand = demands(network);
  const std::vector<double> most = most_rates(network, least_cycles_s(network, demand));
  for (const Knee& knee : bounds.knees) {
    std::vector<double> asked;
    double unhindered = 0.0;
    for (std::size_t j = 0; j < most.size(); ++j) {
      asked.push_back(demand(j, knee.resource));
      unhindered += most[j] * asked[j];
    }
    const bool is_looked_at = busy.size() < looked_at;
    busy.push_back(std::min(1.0, is_looked_at ? most_events(network, asked, most).worth : unhindered));
  }
  return busy;
}

ClosedNetwork with_clients(ClosedNetwork network, double clients) {
  const double present = clients_of(network);
  if (!(present > 0.0)) throw std::invalid_argument("with_clients: a network without clients");
  for (JobClass& c : network.classes) c.clients *= clients / present;
  for (Resource& resource : network.resources)
    if (resource.grows_with_clients) resource.units *= clients / present;
  return network;
}

double clients_within(const ClosedNetwork& network, double slowdown) {
  if (!(slowdown >= 0.0)) throw std::invalid_argument("clients_within: a slowdown is at least 0");
  const Bounds bounds = asymptotic_bounds(network);
  if (network.classes.size() == 1) {
    if (bounds.own_event_time_s > (1.0 + slowdown) * bounds.ideal_event_time_s) return 0.0;
    if (bounds.knees.empty()) return std::numeric_limits<double>::infinity();
    return ((1.0 + slowdown) * bounds.ideal_event_time_s + bounds.set_up_s) / bounds.knees.front().demand_s;
  }
  // Events within the slowdown keep N <= Σ X·((1 + slowdown)·t_ideal + set-up). The right side is concave in N, and
  // linear until something saturates: steps along its tangents come down on the largest N.
  const std::vector<double> cycles_s = least_cycles_s(network, demands(network));
  std::vector<double> worth;
  double unlimited = 0.0;
  for (std::size_t j = 0; j < cycles_s.size(); ++j) {
    const JobClass& c = network.classes[j];
    worth.push_back((1.0 + slowdown) * c.ideal_event_time.value + c.set_up.value);
    unlimited += worth[j] * c.clients / cycles_s[j];
  }
  constexpr double rounding = 1e-12;
  if (unlimited < bounds.clients * (1.0 - rounding)) return 0.0;
  const auto worth_at = [&](double clients) {
    std::vector<double> most;
    for (std::size_t j = 0; j < cycles_s.size(); ++j)
      most.push_back(network.classes[j].clients * clients / bounds.clients / cycles_s[j]);
    return most_events(network, worth, most).worth;
  };
  double good = 0.0;
  double bad = bounds.clients;
  constexpr double beyond_all = 1e15;
  for (; worth_at(bad) >= bad * (1.0 - rounding); bad *= 2.0) {
    if (bad > beyond_all) return std::numeric_limits<double>::infinity();
    good = bad;
  }
  while (bad - good > relative_tolerance * bad) {
    const double middle = good + (bad - good) / 2.0;
    if (middle <= good || middle >= bad) break;
    (worth_at(middle) >= middle * (1.0 - rounding) ? good : bad) = middle;
  }
  return bad;
}

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

double SaturationFormula::ideal_event_time_s() const {
  return cpu_s + gpu_s + latency_s;
}

double SaturationFormula::event_time_s() const {
  return cpu_s + gpu_s * (1.0 + std::max(0.0, clients / gpus - ideal_event_time_s() / gpu_s)) + latency_s;
}

double SaturationFormula::streams_per_gpu() const {
  return ideal_event_time_s() / gpu_s;
}

}  // namespace saturn
