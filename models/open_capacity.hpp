#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "models/closed_network.hpp"

namespace saturn {

/// What a pool that events reach from outside can serve at most, by the demands alone.
struct OpenCapacity {
  double offered_per_s = 0.0;   ///< λ, the long-run rate of arrivals [1/s]
  double capacity_per_s = 0.0;  ///< C: the rate at which the first resource, or the event loops, would be busy always
  std::string limit;            ///< name of that resource, or "event loops"
  double load() const { return offered_per_s / capacity_per_s; }
};

/// C = min over resources r of (1 − load of the other open classes at r)/D_r, and of loops/t_ideal; at least 0. Closed
/// classes are left out: they take what open ones leave, so C bounds from above. Demands are those of the best batches
/// and, where the load chooses the server, of the best split (free calls of the others are left out), which bounds from
/// above as well.
/// @param job_class  of an open class, index into network.classes
/// @throws std::invalid_argument  a class without arrivals
OpenCapacity open_capacity(const ClosedNetwork& network, std::size_t job_class);

/// C of the class with all resources to itself [1/s]: what no window's rate can pass.
double own_capacity_per_s(const ClosedNetwork& network, std::size_t job_class);

/// Mean event time of an open network of product form, no limit on event loops: the think time plus, at every station,
/// work·(mean number in M/M/c)/(offered load), exact for exponential service and Poisson arrivals [s].
/// Source: Baskett, Chandy, Muntz & Palacios, J. ACM 22 (1975) 248
/// @returns nothing when a station is saturated, or when the network has other classes than this one
std::optional<double> open_event_time_s(const ClosedNetwork& network);

}  // namespace saturn
