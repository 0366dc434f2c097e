#include "sim/plan/bounded_pools.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/open_capacity.hpp"
#include "scenarios/demands.hpp"

namespace saturn {

namespace {

// Standard errors of a simulated mean by which chance may beat the expectation that the bounds speak of.
constexpr double chance = 3.0;

double simulated_cycles(const Scenario& scenario) {
  return static_cast<double>(scenario.run.cycles * scenario.run.min_replications);
}

}  // namespace

BoundedPools::BoundedPools(const Scenario& scenario) : network_(closed_network(scenario)), demand_(demands(network_)) {
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) pools_.push_back(pool_bound(scenario, j));
}

PoolBound BoundedPools::pool_bound(const Scenario& scenario, std::size_t j) const {
  const JobClass& jobs = network_.classes[j];
  const JobPool& pool = scenario.jobs[j];
  PoolBound bound{.loops = jobs.clients,
                  .ideal_s = jobs.ideal_event_time.value,
                  .least_s = jobs.ideal_event_time.value,
                  .set_up_s = jobs.set_up.value,
                  .open = jobs.arrivals.has_value()};
  for (std::size_t r = 0; r < network_.resources.size(); ++r) {
    if (!network_.resources[r].grows_with_clients || bound.open) continue;
    const double own = demand_s(j, r);
    bound.least_s = std::max(bound.least_s, bound.loops * own - bound.set_up_s);
  }
  const double events = bound.loops * simulated_cycles(scenario);
  bound.allowance = chance * relative_scatter(scenario, pool) / std::sqrt(events);
  bound.most_events_per_s = bound.loops / (bound.least_s + bound.set_up_s);
  if (!bound.open) return bound;
  bound.most_events_per_s = std::min(bound.most_events_per_s, own_capacity_per_s(network_, j));
  if (varies(*pool.arrivals)) return bound;
  const double arrivals = jobs.arrivals->value * bound.ideal_s * simulated_cycles(scenario);
  const double by_chance = chance * std::sqrt(dispersion(*pool.arrivals) / arrivals);
  bound.most_events_per_s = std::min(bound.most_events_per_s, jobs.arrivals->value * (1.0 + by_chance));
  return bound;
}

double BoundedPools::allowance() const {
  double largest = 0.0;
  for (const PoolBound& pool : pools_) largest = std::max(largest, pool.allowance);
  return largest;
}

double BoundedPools::demand_s(std::size_t pool, std::size_t resource) const {
  return demand_(static_cast<Eigen::Index>(pool), static_cast<Eigen::Index>(resource));
}

double BoundedPools::least_slowdown() const {
  double slowdown = 1.0;
  for (const PoolBound& pool : pools_) slowdown = std::max(slowdown, pool.least_s / pool.ideal_s);
  for (std::size_t r = 0; r < network_.resources.size(); ++r) {
    double work = 0.0;
    for (std::size_t j = 0; j < pools_.size(); ++j)
      if (!pools_[j].open) work += pools_[j].loops * demand_s(j, r) / (pools_[j].ideal_s + pools_[j].set_up_s);
    slowdown = std::max(slowdown, work);
    if (pools_.size() == 1 && !pools_[0].open)
      slowdown = std::max(slowdown, (pools_[0].loops * demand_s(0, r) - pools_[0].set_up_s) / pools_[0].ideal_s);
  }
  return slowdown;
}

double BoundedPools::least_event_time_s() const {
  double longest = 0.0;
  double set_up = 0.0;
  for (const PoolBound& pool : pools_) {
    longest = std::max(longest, pool.least_s);
    if (!pool.open) set_up = std::max(set_up, pool.set_up_s);
  }
  for (std::size_t r = 0; r < network_.resources.size(); ++r) {
    double work = 0.0;
    for (std::size_t j = 0; j < pools_.size(); ++j)
      if (!pools_[j].open) work += pools_[j].loops * demand_s(j, r);
    longest = std::max(longest, work - set_up);
  }
  return longest;
}

double BoundedPools::most_through(std::size_t resource) const {
  std::vector<std::pair<double, double>> by_demand;
  for (std::size_t j = 0; j < pools_.size(); ++j)
    by_demand.emplace_back(demand_s(j, resource), pools_[j].most_events_per_s);
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

double BoundedPools::most_events_per_s() const {
  double most = 0.0;
  for (const PoolBound& pool : pools_) most += pool.most_events_per_s;
  for (std::size_t r = 0; r < network_.resources.size(); ++r) most = std::min(most, most_through(r));
  return most;
}

double BoundedPools::least_lost_share() const {
  double share = 0.0;
  for (std::size_t j = 0; j < pools_.size(); ++j) {
    if (!pools_[j].open) continue;
    share = std::max(share, 1.0 - own_capacity_per_s(network_, j) / network_.classes[j].arrivals->value);
  }
  return share;
}

}  // namespace saturn
