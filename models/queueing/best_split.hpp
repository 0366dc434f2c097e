#pragma once

#include <cstddef>
#include <vector>

#include "models/queueing/closed_network.hpp"

/// How calls whose server the load chooses are spread at best. Whatever a balancer does, requests reach some server
/// each, so that their long-run shares are a split; what no split can do, no balancer can.

namespace saturn {

/// How busy something keeps a resource.
struct ResourceLoad {
  std::size_t resource = 0;
  double busy = 0.0;  ///< of all its units, in whatever unit the caller uses for all loads
};
/// Calls that may go to several servers: what each keeps busy if it gets all of them.
using CallLoads = std::vector<std::vector<ResourceLoad>>;

struct BalancedLoad {
  double largest = 0.0;                     ///< of any resource; no split has a smaller one
  std::vector<std::vector<double>> shares;  ///< (calls, server), in sum 1
};

/// The split under which the busiest resource is as little busy as possible, then the next one, and so on. The loads
/// that follow are the same for every such split. Solved exactly, as one linear programme a level; of more than 64
/// resources that the calls may reach, only those are balanced that are busiest at equal shares, and `largest` remains
/// a lower bound.
/// @param fixed  (resource) load of what has no choice
BalancedLoad balanced_load(const std::vector<double>& fixed, const std::vector<CallLoads>& calls);

/// The work of a network whose classes have events at the given rates, its free calls spread by balanced_load().
/// @param rates  (class) >= 0, in any unit
Matrix balanced_work(const ClosedNetwork& network, const std::vector<double>& rates);

/// As many events as the resources can carry.
struct MostEvents {
  double worth = 0.0;         ///< Σ worth·rate; no split and no mix has more
  std::vector<double> rates;  ///< (class) that reach it [1/s]
};

/// Maximises Σ worth·rate over the rates of the classes and the splits of their free calls, such that no resource is
/// busy more than all the time. `worth` is evaluated from the resources' prices alone, so that it is a bound whatever
/// rounding does. Of very large networks only the resources and classes that matter most are looked at (64 and 192);
/// it then remains an upper bound.
/// @param worth  (class) of one event, >= 0
/// @param most   (class) largest rate [1/s]
/// @param left   (resource) share of its time that is left for these classes; empty: all of it. Resources that grow
///               with the clients are left out; their limit is a class's largest rate.
MostEvents most_events(const ClosedNetwork& network, const std::vector<double>& worth, std::vector<double> most,
                       const std::vector<double>& left = {});

}  // namespace saturn
