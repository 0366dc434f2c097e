#pragma once

#include <vector>

#include "models/closed_network.hpp"
#include "scenarios/scenario.hpp"

/// Asymptotic bounds of several pools together, at whatever mix of their events.
namespace saturn {

/// What the bounds of one pool's events rest on.
struct PoolBound {
  double loops = 0.0;     ///< event loops [1]
  double ideal_s = 0.0;   ///< t_ideal
  double least_s = 0.0;   ///< or longer, where event loops wait for the cores of their own jobs
  double set_up_s = 0.0;  ///< between two events of a loop
  double most_events_per_s = 0.0;
  bool open = false;       ///< events arrive from outside
  double allowance = 0.0;  ///< by which a simulation may beat the expectation, relative
};

/// Bounds of expectations; nothing is allowed for chance but in the arrivals of open pools.
class BoundedPools {
 public:
  explicit BoundedPools(const Scenario& scenario);

  const std::vector<PoolBound>& pools() const { return pools_; }
  /// Three standard errors of a mean event time over the shortest full simulation, and what the edges of its window may
  /// hide, of the pool where they are largest, relative to that mean.
  double allowance() const;

  /// Least slowdown of the worst pool, t/t_ideal. Were every closed pool within s·t_ideal, resource r would be busy for
  /// sum N·D/(s·t_ideal + set-up), which is at most 1. Below 1 where a balancer may prefer faster servers.
  double least_slowdown() const;
  /// Least mean event time of the slowest pool, in the same way [s].
  double least_event_time_s() const;
  /// Most events of all pools: the resources can carry no more, at whatever mix and split [1/s].
  double most_events_per_s() const;
  /// Of the pool that loses most, what arrives beyond its capacity over what arrives [1].
  double least_lost_share() const;

 private:
  PoolBound pool_bound(const Scenario& scenario, std::size_t pool) const;
  /// How busy the busiest resource is at the rates of the pools, calls split as well as can be.
  double least_busy(const std::vector<double>& rates) const;

  ClosedNetwork network_;
  std::vector<PoolBound> pools_;
};

}  // namespace saturn
