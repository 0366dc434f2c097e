#pragma once

#include <cstddef>

#include "models/values/units.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/topology/routes.hpp"

/// What TCP's slow start makes the requests of a stage wait when nobody else is there.

namespace saturn {

/// Of the requests of one event, and their answers, at least [s].
struct SlowStartWaits {
  double total_s = 0.0;  ///< of all of them
  double first_s = 0.0;  ///< of the first
};

/// What an item makes a call carry.
struct ItemBytes {
  Bytes request{};
  Bytes answer{};
};

/// @param pause  for so long at least the connection is idle before the first of them [s]
SlowStartWaits slow_start_waits(const NetworkPath& path, const ItemBytes& item, const RequestSplit& split,
                                const InferStage& stage, Seconds pause);

/// How long a stream computes, in every event and on the fastest node, between the stage and the call before it; what
/// is drawn may be short, and answers of asynchronous calls may come meanwhile.
Seconds certain_pause(const JobPool& pool, std::size_t stage);

}  // namespace saturn
