#pragma once

#include <span>
#include <vector>

#include "models/laws/arrival_law.hpp"
#include "models/scaling/horizontal_autoscaler.hpp"

/// What autoscalers are measured against: the fewest replicas that carry a load which is known in advance.

namespace saturn {

/// A replica, as far as an ideal autoscaler cares.
struct ReplicaFacts {
  Rate carries{1.0};      ///< load that it takes, > 0
  Seconds start_up{0.0};  ///< from being asked for to taking load, and paid for, >= 0
  int least = 0;          ///< that are there while the load is given, >= 0
};

/// How many replicas there are, those that start included.
struct IdealReplicas {
  /// The count from each date on, the first a start-up before the load begins, the last 0 where it ends.
  std::vector<DatedCount> counts;
  double replica_s = 0.0;  ///< all their times together, which is what is paid for [replica·s]
};

/// The fewest replicas with which a load never exceeds what they carry. At t there are
/// max over u in [t, t + start-up] of ⌈load(u)/carries⌉: whoever is needed at u has been starting since u − start-up,
/// so fewer cannot be; and these are enough, if the last one to come is the first to go. A replica that is needed again
/// within a start-up is kept.
/// @param load  two points or more, by date, linear between them; two points of one date are a step
/// @throws std::invalid_argument  arguments out of their domain
/// Cost: O(m log m), m the number of dates at which ⌈load/carries⌉ changes
IdealReplicas ideal_replicas(std::span<const RatePoint> load, const ReplicaFacts& replica);

}  // namespace saturn
