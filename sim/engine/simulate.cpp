#include "sim/engine/simulate.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/random_stream.hpp"
#include "scenarios/demands.hpp"
#include "sim/engine/arrivals.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/client.hpp"
#include "sim/engine/inference_service.hpp"
#include "sim/engine/platform.hpp"
#include "sim/engine/pool_plan.hpp"
#include "sim/engine/recorder.hpp"
#include "sim/engine/resource_meters.hpp"
#include "sim/engine/run_tracer.hpp"
#include "sim/engine/simgrid_engine.hpp"
#include "sim/engine/timers.hpp"
#include "sim/engine/trace_timeline.hpp"

namespace saturn {

namespace {

/// What reaches the pools from outside, each in its pool's plan.
std::vector<std::unique_ptr<Arrivals>> arrivals_of(const Scenario& scenario, Calendar& calendar, const Replica& replica,
                                                   std::vector<PoolPlan>& plans, std::vector<PoolMeter>& meters) {
  std::vector<std::unique_ptr<Arrivals>> all;
  for (std::size_t p = 0; p < scenario.jobs.size(); ++p) {
    const JobPool& pool = scenario.jobs[p];
    if (!pool.arrivals) continue;
    const RandomStream random(replica.seed, replica.index, static_cast<std::uint32_t>(p), Purpose::arrival);
    all.push_back(std::make_unique<Arrivals>(calendar, ArrivalStream(*pool.arrivals, random), pool.buffer, meters[p]));
    plans[p].arrivals = all.back().get();
  }
  return all;
}

/// @param tracer   null: nothing is recorded
/// @param samples  of the timeline; 0: none
TracedRun run(const Scenario& scenario, const Replica& replica, RunTracer* tracer, std::size_t samples) {
  const Platform platform(simgrid_engine(), scenario);
  const ClosedNetwork network = closed_network(scenario);

  Calendar calendar;
  InferenceService service(calendar, platform, scenario, replica, tracer);
  Timers timers(calendar);
  DelayedSends delayed(calendar);
  FrameArena frames;

  std::vector<PoolPlan> plans;
  plans.reserve(scenario.jobs.size());
  std::vector<PoolMeter> meters(scenario.jobs.size());
  std::size_t loops = 0;
  for (std::size_t p = 0; p < scenario.jobs.size(); ++p) {
    const JobPool& pool = scenario.jobs[p];
    plans.push_back(pool_plan(pool, service));
    meters[p].stage_sums.resize(pool.event.size());
    meters[p].stage_passes.resize(pool.event.size());
    meters[p].stage_surplus.resize(pool.event.size());
    loops += event_loops(pool);
  }
  const auto arrivals = arrivals_of(scenario, calendar, replica, plans, meters);
  timers.reserve(loops);
  const ResourceMeters resources(scenario, network, platform, service, meters);
  Recorder recorder(calendar, timers, delayed, scenario, resources, service, meters, replica.length);
  std::optional<TraceTimeline> timeline;
  if (tracer != nullptr && samples > 0) timeline.emplace(calendar, resources, *tracer, samples);

  ClientWorld world{calendar, timers, delayed, service, frames, replica, tracer};
  std::vector<std::vector<Cores>> cores;
  std::vector<Client> clients;
  clients.reserve(loops);
  for (std::size_t p = 0; p < scenario.jobs.size(); ++p) {
    const JobPool& pool = scenario.jobs[p];
    cores.push_back(shared_cores(pool, timers, meters[p].cores));
    const auto first = static_cast<std::uint32_t>(clients.size());
    const double period_s = pool.start_over.value_or(network.classes[p].ideal_event_time).value;
    for (const LoopPlan& loop : loop_plans(pool, cores.back(), first, period_s, replica))
      clients.push_back(run_client(world, plans[p], meters[p], loop));
  }

  // SimGrid has dates of its own where it carries the transfers.
  run_calendar(calendar, replica.drain && scenario.flows == FlowModel::aggregated);
  if (!calendar.stopped())
    throw std::logic_error("deadlock: SimGrid ended the run at " + std::to_string(calendar.now()) + " s");
  TracedRun result{.outcome = recorder.outcome(), .trace = {}};
  if (tracer == nullptr) return result;
  if (timeline) {
    timeline->end(calendar.now());
    result.outcome.simulated_events -= timeline->handled();
  }
  result.trace = tracer->finish(calendar.now());
  if (timeline) timeline->add_to(result.trace, scenario);
  return result;
}

}  // namespace

RunOutcome simulate(const Scenario& scenario, const Replica& replica) {
  return run(scenario, replica, nullptr, 0).outcome;
}

TracedRun simulate_traced(const Scenario& scenario, const Replica& replica, const TraceWindow& window) {
  RunTracer tracer(scenario, window, end_of_run_s(replica.length));
  return run(scenario, replica, &tracer, window.samples);
}

}  // namespace saturn
