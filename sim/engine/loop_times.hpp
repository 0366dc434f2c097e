#pragma once

#include <vector>

#include "models/closed_network.hpp"
#include "models/run_outcome.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/reading.hpp"

namespace saturn {

/// What a window tells of the event loops of a closed pool.
struct LoopTimes {
  double event_time_s = 0.0;
  double events_per_s = 0.0;
  std::vector<StageOutcome> stages;  ///< they add up to the event time where none is asynchronous
  Check check;                       ///< Little's law of the whole loop
};

/// Where computing times are drawn, the event time is response_time_s(), the rate follows from it by Little's law of
/// the whole loop, and what that moves is shared by what events wait for. Else both are as they were counted.
/// @param from, to  at the window's edges, between which events of the pool have ended
/// @param pool      number of the closed pool
LoopTimes loop_times(const JobPool& description, const JobClass& job_class, const Reading& from, const Reading& to,
                     std::size_t pool);

}  // namespace saturn
