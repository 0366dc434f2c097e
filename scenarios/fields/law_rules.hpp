#pragma once

#include <string>

#include "models/laws/arrival_law.hpp"
#include "models/laws/distribution.hpp"
#include "models/laws/worker_nodes.hpp"
#include "scenarios/fields/value_rules.hpp"

namespace saturn {

/// Items of an event: a whole number from 1 to 1e9, or a distribution of whole numbers from 0 on.
Rule<CountDistribution> items_rule();

/// Speed of worker nodes: a number above 0, or a distribution over the jobs.
Rule<WorkerSpeed> speed_rule();

/// A duration from 0 s to 1e9 s, or a distribution of durations.
/// @param usual_unit  of the examples in complaints
Rule<TimeDistribution> time_rule(const std::string& usual_unit);

/// How events arrive: an object with one of several keys, which names the law.
Rule<ArrivalLaw> arrival_rule();

}  // namespace saturn
