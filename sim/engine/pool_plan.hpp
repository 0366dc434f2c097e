#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/engine/client.hpp"
#include "sim/engine/inference_service.hpp"
#include "sim/engine/simulate.hpp"

/// From a pool of the scenario to what the engine runs.
namespace saturn {

/// What the event loops of a pool do.
PoolPlan pool_plan(const JobPool& pool, const InferenceService& service);

/// The cores of each job; none where every event loop has a core of its own.
/// @param timers  wakes those that have waited  @param meter  counts them; both outlive the cores
std::vector<Cores> shared_cores(const JobPool& pool, Timers& timers, CoresMeter& meter);

/// The event loops of a pool, job by job.
/// @param cores     of shared_cores()
/// @param first     number of the first loop, over all pools
/// @param period_s  over which the loops begin [s]
std::vector<LoopPlan> loop_plans(const JobPool& pool, std::vector<Cores>& cores, std::uint32_t first, double period_s,
                                 const Replica& replica);

}  // namespace saturn
