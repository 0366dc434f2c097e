#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "models/open_capacity.hpp"
#include "scenarios/demands.hpp"
#include "scenarios/determinism.hpp"
#include "scenarios/routes.hpp"
#include "scenarios/stage_requests.hpp"
#include "sim/plan/exact_figures.hpp"
#include "sim/plan/purchase_terms.hpp"
#include "sim/plan/unhindered_latency.hpp"

namespace saturn {

namespace {

// Standard errors of a simulated mean by which chance may beat the expectation that the bounds speak of.
constexpr double chance = 3.0;

bool may_refuse(const Model& model) {
  const QueuePolicy& policy = model.queue_policy;
  return policy.max_queue_size || (policy.timeout && policy.timeout_action == TimeoutAction::reject);
}

bool same_host(const std::optional<HostStage>& a, const std::optional<HostStage>& b) {
  if (!a || !b) return !a && !b;
  return a->per_request == b->per_request && a->per_item == b->per_item && a->workers == b->workers;
}

bool same_bus(const std::optional<Attachment>& a, const std::optional<Attachment>& b) {
  if (!a || !b) return !a && !b;
  return a->bus == b->bus && a->latency == b->latency;
}

bool alike(const Server& a, const Server& b) {
  return a.site == b.site && a.nic == b.nic && a.devices.type == b.devices.type && a.devices.count == b.devices.count &&
         a.devices.mig == b.devices.mig && a.devices.interference == b.devices.interference &&
         a.balancing == b.balancing && same_host(a.host, b.host) && same_bus(a.attached, b.attached);
}

/// False where servers that share a model differ, since a balancer may then do better than the split that the demands
/// assume; and where requests may be refused, since their events end early.
bool bounds_hold(const Scenario& scenario) {
  for (const auto& [name, model] : scenario.models) {
    if (may_refuse(model)) return false;
    const std::vector<std::size_t> holders = servers_of(scenario, name);
    for (const std::size_t s : holders)
      if (!alike(scenario.servers[s], scenario.servers[holders.front()])) return false;
  }
  return true;
}

/// What the bounds of one pool's events rest on.
struct PoolBound {
  double loops = 0.0;
  double ideal_s = 0.0;  ///< t_ideal
  double least_s = 0.0;  ///< or longer, where event loops wait for the cores of their own jobs
  double set_up_s = 0.0;
  double most_events_per_s = 0.0;
  bool open = false;
  double allowance = 0.0;  ///< for chance, relative
};

double simulated_cycles(const Scenario& scenario) {
  return static_cast<double>(scenario.run.cycles * scenario.run.min_replications);
}

PoolBound pool_bound(const Scenario& scenario, const ClosedNetwork& network, const Eigen::MatrixXd& demand,
                     std::size_t j) {
  const JobClass& jobs = network.classes[j];
  const JobPool& pool = scenario.jobs[j];
  PoolBound bound{.loops = jobs.clients,
                  .ideal_s = jobs.ideal_event_time.value,
                  .least_s = jobs.ideal_event_time.value,
                  .set_up_s = jobs.set_up.value,
                  .open = jobs.arrivals.has_value()};
  for (std::size_t r = 0; r < network.resources.size(); ++r) {
    if (!network.resources[r].grows_with_clients || bound.open) continue;
    const double own = demand(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(r));
    bound.least_s = std::max(bound.least_s, bound.loops * own - bound.set_up_s);
  }
  const double events = bound.loops * simulated_cycles(scenario);
  bound.allowance = chance * relative_scatter(scenario, pool) / std::sqrt(events);
  bound.most_events_per_s = bound.loops / (bound.least_s + bound.set_up_s);
  if (!bound.open) return bound;
  bound.most_events_per_s = std::min(bound.most_events_per_s, own_capacity_per_s(network, j));
  if (varies(*pool.arrivals)) return bound;
  const double arrivals = jobs.arrivals->value * bound.ideal_s * simulated_cycles(scenario);
  const double by_chance = chance * std::sqrt(dispersion(*pool.arrivals) / arrivals);
  bound.most_events_per_s = std::min(bound.most_events_per_s, jobs.arrivals->value * (1.0 + by_chance));
  return bound;
}

/// The network and what bounds each of its pools.
struct BoundedNetwork {
  ClosedNetwork network;
  Eigen::MatrixXd demand;  ///< (j, r)
  std::vector<PoolBound> pools{};
  double allowance = 0.0;  ///< the largest of the pools

  explicit BoundedNetwork(const Scenario& scenario) : network(closed_network(scenario)), demand(demands(network)) {
    for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
      pools.push_back(pool_bound(scenario, network, demand, j));
      allowance = std::max(allowance, pools.back().allowance);
    }
  }

  double demand_s(std::size_t pool, std::size_t resource) const {
    return demand(static_cast<Eigen::Index>(pool), static_cast<Eigen::Index>(resource));
  }

  /// Least slowdown of the worst pool. Were every closed pool within s·t_ideal, resource r would be busy for
  /// sum N·D/(s·t_ideal + set-up), which is at most 1.
  double least_slowdown() const {
    double slowdown = 1.0;
    for (const PoolBound& pool : pools) slowdown = std::max(slowdown, pool.least_s / pool.ideal_s);
    for (std::size_t r = 0; r < network.resources.size(); ++r) {
      double work = 0.0;
      for (std::size_t j = 0; j < pools.size(); ++j)
        if (!pools[j].open) work += pools[j].loops * demand_s(j, r) / (pools[j].ideal_s + pools[j].set_up_s);
      slowdown = std::max(slowdown, work);
      if (pools.size() == 1 && !pools[0].open)
        slowdown = std::max(slowdown, (pools[0].loops * demand_s(0, r) - pools[0].set_up_s) / pools[0].ideal_s);
    }
    return slowdown;
  }

  /// Least mean event time of the slowest pool, in the same way [s].
  double least_event_time() const {
    double longest = 0.0;
    double set_up = 0.0;
    for (const PoolBound& pool : pools) {
      longest = std::max(longest, pool.least_s);
      if (!pool.open) set_up = std::max(set_up, pool.set_up_s);
    }
    for (std::size_t r = 0; r < network.resources.size(); ++r) {
      double work = 0.0;
      for (std::size_t j = 0; j < pools.size(); ++j)
        if (!pools[j].open) work += pools[j].loops * demand_s(j, r);
      longest = std::max(longest, work - set_up);
    }
    return longest;
  }

  /// Most events of all pools that one resource can carry: those that ask least of it come first [1/s].
  double most_through(std::size_t resource) const {
    std::vector<std::pair<double, double>> by_demand;
    for (std::size_t j = 0; j < pools.size(); ++j)
      by_demand.emplace_back(demand_s(j, resource), pools[j].most_events_per_s);
    std::sort(by_demand.begin(), by_demand.end());
    double events_per_s = 0.0;
    double left = 1.0;
    for (const auto& [demand_of_event_s, most] : by_demand) {
      const double taken = demand_of_event_s > 0.0 ? std::min(most, left / demand_of_event_s) : most;
      events_per_s += taken;
      left = std::max(0.0, left - taken * demand_of_event_s);
    }
    return events_per_s;
  }

  double most_events_per_s() const {
    double most = 0.0;
    for (const PoolBound& pool : pools) most += pool.most_events_per_s;
    for (std::size_t r = 0; r < network.resources.size(); ++r) most = std::min(most, most_through(r));
    return most;
  }

  /// Of the pool that loses most: what arrives beyond its capacity.
  double least_lost_share() const {
    double share = 0.0;
    for (std::size_t j = 0; j < pools.size(); ++j) {
      if (!pools[j].open) continue;
      share = std::max(share, 1.0 - own_capacity_per_s(network, j) / network.classes[j].arrivals->value);
    }
    return share;
  }
};

void add(CandidateFigures& figures, Figure figure, double value, const std::string& of = "") {
  figures.entries.push_back({.figure = figure, .of = of, .value = exactly(value), .exact = false});
}

/// Where nothing is drawn but when events arrive, every event takes at least t_ideal.
void add_event_quantiles(Scenario scenario, const BoundedNetwork& bounded, CandidateFigures& figures) {
  for (JobPool& pool : scenario.jobs) pool.arrivals.reset();
  if (!has_constant_times(scenario)) return;
  double longest = 0.0;
  for (const PoolBound& pool : bounded.pools) longest = std::max(longest, pool.ideal_s);
  for (const Figure figure : {Figure::event_time_p50, Figure::event_time_p95, Figure::event_time_p99})
    add(figures, figure, longest);
}

void add_latencies(const Scenario& scenario, double within_chance, CandidateFigures& figures) {
  const std::map<std::string, UnhinderedLatency> latencies = unhindered_latencies(scenario);
  UnhinderedLatency worst;
  const auto add_one = [&](const UnhinderedLatency& latency, const std::string& of) {
    add(figures, Figure::latency, std::max(latency.mean_s * within_chance, latency.least_s), of);
    for (const Figure figure : {Figure::latency_p50, Figure::latency_p95, Figure::latency_p99})
      add(figures, figure, latency.least_s, of);
  };
  for (const auto& [model, latency] : latencies) {
    worst.mean_s = std::max(worst.mean_s, latency.mean_s);
    worst.least_s = std::max(worst.least_s, latency.least_s);
    add_one(latency, model);
  }
  if (!latencies.empty()) add_one(worst, "");
}

double least_traffic(const Scenario& scenario) {
  double least = std::numeric_limits<double>::infinity();
  for (const JobPool& pool : scenario.jobs) least = std::min(least, traffic_usd_per_event(scenario, pool));
  return least;
}

}  // namespace

CandidateFigures figures_by_bound(const Scenario& scenario, const PurchaseTerms& terms) {
  const Expenses expenses = expenses_of(scenario, terms);
  CandidateFigures figures;
  add_exact_figures(scenario, expenses, figures);
  if (!bounds_hold(scenario)) return figures;
  const BoundedNetwork bounded(scenario);
  const double within_chance = std::max(0.0, 1.0 - bounded.allowance);
  const double most_events_per_s = bounded.most_events_per_s() * (1.0 + bounded.allowance);
  add(figures, Figure::slowdown, bounded.least_slowdown() * within_chance - 1.0);
  add(figures, Figure::event_time, bounded.least_event_time() * within_chance);
  add_event_quantiles(scenario, bounded, figures);
  add_latencies(scenario, within_chance, figures);
  add(figures, Figure::throughput, most_events_per_s);
  add(figures, Figure::lost_share, std::max(0.0, bounded.least_lost_share() - bounded.allowance));
  add_figures_of_throughput(exactly(most_events_per_s), least_traffic(scenario), expenses, terms, figures);
  return figures;
}

}  // namespace saturn
