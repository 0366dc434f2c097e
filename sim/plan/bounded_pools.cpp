#include "sim/plan/bounded_pools.hpp"

#include <algorithm>
#include <cmath>

#include "models/best_split.hpp"
#include "models/open_capacity.hpp"
#include "scenarios/demands.hpp"

namespace saturn {

namespace {

// Standard errors of a simulated mean by which chance may beat the expectation that the bounds speak of.
constexpr double chance = 3.0;
// Events that each loop may gain at the edges of a run's window; twice what was seen over the shipped scenarios. One is
// the most that is possible.
constexpr double at_the_edges = 0.1;

double simulated_cycles(const Scenario& scenario) {
  return static_cast<double>(scenario.run.cycles * scenario.run.min_replications);
}

}  // namespace

BoundedPools::BoundedPools(const Scenario& scenario) : network_(closed_network(scenario)) {
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) pools_.push_back(pool_bound(scenario, j));
}

PoolBound BoundedPools::pool_bound(const Scenario& scenario, std::size_t j) const {
  const JobClass& jobs = network_.classes[j];
  const JobPool& pool = scenario.jobs[j];
  PoolBound bound{.loops = jobs.clients,
                  .ideal_s = jobs.ideal_event_time.value,
                  .least_s = least_event_time(jobs).value,
                  .set_up_s = jobs.set_up.value,
                  .open = jobs.arrivals.has_value()};
  for (std::size_t r = 0; r < network_.resources.size(); ++r) {
    if (!network_.resources[r].grows_with_clients || bound.open) continue;
    const double own = network_.work(j, r) / network_.resources[r].units;
    bound.least_s = std::max(bound.least_s, bound.loops * own - bound.set_up_s);
  }
  const double events = bound.loops * simulated_cycles(scenario);
  bound.allowance = chance * relative_scatter(scenario, pool) / std::sqrt(events) +
                    at_the_edges / static_cast<double>(scenario.run.cycles);
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

double BoundedPools::least_busy(const std::vector<double>& rates) const {
  if (std::all_of(rates.begin(), rates.end(), [](double rate) { return rate == 0.0; })) return 0.0;
  const Matrix work = balanced_work(network_, rates);
  double busiest = 0.0;
  for (std::size_t r = 0; r < network_.resources.size(); ++r) {
    double busy = 0.0;
    for (std::size_t j = 0; j < pools_.size(); ++j) busy += rates[j] * work(j, r);
    if (!network_.resources[r].grows_with_clients) busiest = std::max(busiest, busy / network_.resources[r].units);
  }
  return busiest;
}

double BoundedPools::least_slowdown() const {
  double slowdown = 0.0;
  for (const PoolBound& pool : pools_) slowdown = std::max(slowdown, pool.least_s / pool.ideal_s);
  std::vector<double> rates;
  for (const PoolBound& pool : pools_) rates.push_back(pool.open ? 0.0 : pool.loops / (pool.ideal_s + pool.set_up_s));
  // Within t_ideal all of this would be done in the same time, which says nothing of less.
  if (const double busy = least_busy(rates); busy > 1.0) slowdown = std::max(slowdown, busy);
  if (pools_.size() == 1 && !pools_[0].open)
    slowdown = std::max(slowdown, (least_busy({pools_[0].loops}) - pools_[0].set_up_s) / pools_[0].ideal_s);
  return slowdown;
}

double BoundedPools::least_event_time_s() const {
  double longest = 0.0;
  double set_up = 0.0;
  std::vector<double> loops;
  for (const PoolBound& pool : pools_) {
    longest = std::max(longest, pool.least_s);
    if (!pool.open) set_up = std::max(set_up, pool.set_up_s);
    loops.push_back(pool.open ? 0.0 : pool.loops);
  }
  return std::max(longest, least_busy(loops) - set_up);
}

double BoundedPools::most_events_per_s() const {
  std::vector<double> most;
  for (const PoolBound& pool : pools_) most.push_back(pool.most_events_per_s);
  return most_events(network_, std::vector<double>(most.size(), 1.0), most).worth;
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
