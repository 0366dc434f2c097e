#pragma once

#include "models/count_distribution.hpp"
#include "models/worker_speed.hpp"
#include "scenarios/value_rules.hpp"

namespace saturn {

/// Items of an event: a whole number from 1 to 1e9, or a distribution of whole numbers from 0 on.
Rule<CountDistribution> items_rule();

/// Speed of worker nodes: a number above 0, or a distribution over the jobs.
Rule<WorkerSpeed> speed_rule();

}  // namespace saturn
