#include "sim/engine/simulate.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/laws/random_stream.hpp"
#include "models/results/run_outcome.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/demands/ideal_event.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/engine/arrivals.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call_window.hpp"
#include "sim/engine/client.hpp"
#include "sim/engine/living/autoscaling.hpp"
#include "sim/engine/network/platform.hpp"
#include "sim/engine/recording/readings.hpp"
#include "sim/engine/recording/recorder.hpp"
#include "sim/engine/recording/run_tracer.hpp"
#include "sim/engine/serving/inference_service.hpp"
#include "sim/engine/simgrid_engine.hpp"

namespace saturn {

// From a pool of the scenario to what the engine runs.

/// The cores of each job; none where every stream has a core of its own.
/// @param timers  wakes those that have waited  @param meter  counts them; both outlive the cores
std::vector<Cores> shared_cores(const JobPool& pool, Timers& timers, CoresMeter& meter);

namespace {

/// The doors that judge jobs, by server.
void make_doors(const Scenario& scenario, InferenceService& service, Calendar& calendar, LivingParts& living) {
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) {
    if (!scenario.servers[s].admission) continue;
    living.doors.resize(scenario.servers.size());
    living.doors[s] = std::make_unique<AdmissionDoor>(calendar, service, scenario, s);
  }
}

/// What tries the calls of a stage again; it is kept by the run.
TriedCalls* tried_calls(const InferStage& stage, const Scenario& scenario, InferenceService& service,
                        Calendar& calendar, const Replica& replica, CallMeter& meter, LivingParts& living) {
  if (!follows_calls(scenario)) return nullptr;
  TryPlan plan{.rules = stage.rules, .own_core = stage.cpu_alternative.has_value()};
  for (const std::string& server : stage.rules.servers) plan.groups.push_back(service.group_of(stage.model, server));
  if (plan.groups.empty()) plan.groups.push_back(service.model_number(stage.model));
  if (!living.doors.empty())
    for (const std::string& name : stage.rules.servers)
      for (std::size_t s = 0; s < living.doors.size(); ++s)
        if (scenario.servers[s].name == name) plan.doors.push_back(living.doors[s].get());
  if (stage.rules.fallback && stage.rules.fallback->server) {
    plan.own_core = false;
    plan.fallback_group = service.group_of(stage.model, *stage.rules.fallback->server);
  }
  std::size_t clients = 0;
  for (const JobPool& pool : scenario.jobs) clients += stream_count(pool);
  const RandomStream stream(replica.seed, replica.index, static_cast<std::uint32_t>(living.tries.size()),
                            Purpose::retry);
  return living.tries
      .emplace_back(std::make_unique<TriedCalls>(calendar, service, std::move(plan), stream, meter, clients))
      .get();
}

InferPlan infer_plan(const InferStage& stage, InferenceService& service, DelayedSends& delayed,
                     WindowShelves& windows) {
  InferPlan plan;
  plan.service = &service;
  plan.delayed = &delayed;
  plan.model = service.model_number(stage.model);
  plan.items = stage.items;
  plan.batch = static_cast<std::uint32_t>(stage.request_batch);
  plan.in_flight = static_cast<std::uint32_t>(std::min(stage.in_flight, most_requests(stage)));
  plan.priority = static_cast<std::uint16_t>(stage.priority.value_or(0));
  plan.lengths = {stage.item_lengths.begin(), stage.item_lengths.end()};
  plan.cpu_s_per_item = stage.cpu_alternative.value_or(Seconds{}).value / stage.items.mean();
  plan.cost_s_per_request = stage.client_cost.per_request.value;
  plan.cost_s_per_item = stage.client_cost.per_item.value;
  if (stage.rules.fallback) plan.start_up_s = stage.rules.fallback->start_up.value;
  plan.job_ends = stage.rules.when_failed == FailedCall::job_ends;
  plan.asynchronous = stage.asynchronous;
  plan.sequence_of_event = stage.sequence == SequenceScope::event;
  plan.shelf = windows.shelf(plan.in_flight);
  return plan;
}

bool any_asynchronous(const Scenario& scenario) {
  return std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [](const JobPool& pool) {
    return std::any_of(pool.event.begin(), pool.event.end(), [](const Stage& stage) {
      const auto* infer = std::get_if<InferStage>(&stage);
      return infer != nullptr && infer->asynchronous;
    });
  });
}

/// Speeds job by job. Which job has which is drawn once a replication, by exchanges.
std::vector<double> speeds_of_jobs(const JobPool& pool, std::uint32_t first_stream, const Replica& replica) {
  std::vector<double> speeds;
  speeds.reserve(pool.count);
  for (const SpeedClass& one : speed_classes(pool.speed, pool.count)) speeds.insert(speeds.end(), one.jobs, one.speed);
  if (is_constant(pool.speed)) return speeds;
  RandomStream order(replica.seed, replica.index, first_stream, Purpose::worker_speed);
  for (std::size_t left = speeds.size(); left > 1; --left)
    std::swap(speeds[left - 1], speeds[static_cast<std::size_t>(order.uniform() * static_cast<double>(left))]);
  return speeds;
}

/// Where a stream is between 0 and 1 when the streams of a pool are spread: evenly, or each by lot.
double place_of(const JobPool& pool, std::uint64_t stream, std::uint32_t entity, Purpose purpose,
                const Replica& replica) {
  if (pool.start == JobStart::random) return RandomStream(replica.seed, replica.index, entity, purpose).uniform();
  return static_cast<double>(stream) / static_cast<double>(stream_count(pool));
}

/// The event that a stream is in when it begins, as it is found at any moment of a run that has gone on for long: one
/// that begins fresh takes the short computing times first, for long ones end after the window. Nothing where no
/// computing time is drawn.
std::optional<EventUnderWay> event_under_way(const JobPool& pool, std::uint32_t entity, double slowness,
                                             const Replica& replica) {
  double all_s = 0.0;
  bool drawn = false;
  for (const Stage& stage : pool.event) {
    const auto* cpu = std::get_if<CpuStage>(&stage);
    if (cpu == nullptr) continue;
    all_s += mean(cpu->time).value;
    drawn = drawn || !is_constant(cpu->time);
  }
  if (!drawn) return std::nullopt;
  RandomStream random(replica.seed, replica.index, entity, Purpose::event_age);
  double place_s = all_s * random.uniform();
  EventUnderWay event;
  for (; event.stage < pool.event.size(); ++event.stage) {
    const auto* cpu = std::get_if<CpuStage>(&pool.event[event.stage]);
    if (cpu == nullptr) continue;
    const double mean_s = mean(cpu->time).value;
    if (place_s < mean_s) {
      const TimeUnderWay time = sample_under_way(cpu->time, random);
      event.left_s = time.left.value * slowness;
      event.of_stage_s = time.past.value * slowness;
      event.past_s += event.of_stage_s;
      event.surplus_s += (time.whole().value - mean_s) * slowness;
      return event;
    }
    place_s -= mean_s;
    const double earlier_s = sample(cpu->time, random).value;
    event.past_s += earlier_s * slowness;
    event.surplus_s += (earlier_s - mean_s) * slowness;
  }
  return std::nullopt;
}

/// A stream of a pool; streams are numbered job by job.
/// @param speeds    of speeds_of_jobs()  @param cores  of shared_cores()
/// @param first     number of the pool's first stream, over all pools
/// @param period_s  over which the streams begin [s]
StreamPlan stream_plan(const JobPool& pool, std::uint64_t stream, const std::vector<double>& speeds,
                       std::vector<Cores>& cores, std::uint32_t first, double period_s, const Replica& replica) {
  const std::uint64_t events = events_per_stream(pool);
  const std::uint64_t job = stream / streams_per_job(pool);
  const auto entity = first + static_cast<std::uint32_t>(stream);
  StreamPlan plan;
  plan.start = period_s * place_of(pool, stream, entity, Purpose::start, replica);
  plan.slowness = 1.0 / speeds[job];
  if (!cores.empty()) plan.cores = &cores[job];
  // The streams of a job that find its cores taken have begun nothing.
  // A run of a fixed length begins with an empty system.
  if (!replica.length.whole && !pool.arrivals && stream % streams_per_job(pool) < pool.threads)
    plan.first_event = event_under_way(pool, entity, plan.slowness, replica);
  // The first jobs are of every age, so that jobs do not all end together.
  if (events > 0) {
    const double age = pool.replaced ? place_of(pool, stream, entity, Purpose::job_age, replica) : 0.0;
    plan.first_events = events - static_cast<std::uint64_t>(age * static_cast<double>(events));
  }
  return plan;
}

}  // namespace

/// What the streams of a pool do.
PoolPlan pool_plan(const JobPool& pool, InferenceService& service, DelayedSends& delayed, WindowShelves& windows) {
  PoolPlan plan;
  plan.site = service.site_number(pool.site);
  plan.events_per_stream = events_per_stream(pool);
  plan.jobs_replaced = pool.replaced;
  plan.job_setup_s = pool.job_setup.value;
  std::vector<std::uint16_t> window_of_stage(pool.event.size());
  StagePlan end;
  for (std::size_t s = 0; s < pool.event.size(); ++s) {
    StagePlan stage;
    for (const std::size_t needed : needed_stages(pool.event, s)) stage.needs.push_back(window_of_stage[needed]);
    if (const auto* cpu = std::get_if<CpuStage>(&pool.event[s])) {
      stage.work = cpu->time;
      stage.mean_s = mean(cpu->time).value;
      plan.draws_times = plan.draws_times || (!pool.arrivals && !is_constant(cpu->time));
    } else {
      InferPlan infer = infer_plan(std::get<InferStage>(pool.event[s]), service, delayed, windows);
      infer.site = plan.site;
      plan.draws_requests = plan.draws_requests || !infer.items.is_constant() || !infer.lengths.empty();
      infer.stage = static_cast<std::uint16_t>(s);
      if (infer.asynchronous) {
        infer.window = window_of_stage[s] = static_cast<std::uint16_t>(end.needs.size());
        end.needs.push_back(infer.window);
      }
      stage.work = std::move(infer);
    }
    plan.stages.push_back(std::move(stage));
  }
  plan.stages.push_back(std::move(end));
  for (const StagePlan& stage : plan.stages) {
    const auto* infer = std::get_if<InferPlan>(&stage.work);
    if (infer != nullptr && infer->asynchronous) plan.windows.push_back(infer);
  }
  return plan;
}

std::vector<Cores> shared_cores(const JobPool& pool, Timers& timers, CoresMeter& meter) {
  if (!shares_cores(pool)) return {};
  return std::vector<Cores>(pool.count, Cores(static_cast<std::uint32_t>(pool.threads), timers, meter));
}

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
TracedRun run(const System& system, const Replica& replica, RunTracer* tracer, std::size_t samples) {
  const Scenario& scenario = system.scenario;
  const ClosedNetwork& network = system.network;
  const Platform platform(simgrid_engine(), scenario);

  Calendar calendar;
  InferenceService service(calendar, platform, scenario, replica, tracer);
  Timers timers(calendar);
  DelayedSends delayed(calendar, any_asynchronous(scenario));
  WindowShelves windows;

  std::vector<PoolPlan> plans;
  plans.reserve(scenario.jobs.size());
  LivingParts living;
  CallMeter no_calls;
  make_doors(scenario, service, calendar, living);
  std::vector<PoolMeter> meters(scenario.jobs.size());
  std::size_t streams = 0;
  for (std::size_t p = 0; p < scenario.jobs.size(); ++p) {
    const JobPool& pool = scenario.jobs[p];
    plans.push_back(pool_plan(pool, service, delayed, windows));
    meters[p].stage_sums.resize(pool.event.size());
    meters[p].stage_passes.resize(pool.event.size());
    meters[p].stage_surplus.resize(pool.event.size());
    if (follows_calls(scenario)) meters[p].calls.resize(pool.event.size());
    for (std::size_t s = 0; s < pool.event.size(); ++s)
      if (auto* infer = std::get_if<InferPlan>(&plans[p].stages[s].work))
        infer->tries = tried_calls(std::get<InferStage>(pool.event[s]), scenario, service, calendar, replica,
                                   meters[p].calls.empty() ? no_calls : meters[p].calls[s], living);
    streams += stream_count(pool);
  }
  const auto arrivals = arrivals_of(scenario, calendar, replica, plans, meters);
  if (changes_over_time(scenario)) {
    living.fleet = std::make_unique<Fleet>(calendar, service, scenario, platform.channels(), replica);
    for (std::size_t s = 0; s < scenario.servers.size(); ++s)
      if (scenario.servers[s].autoscaler)
        living.autoscalers.push_back(std::make_unique<Autoscaling>(calendar, *living.fleet, service, scenario, s));
  }
  for (const auto& door : living.doors)
    if (door) door->begin(living.fleet.get());
  const ResourceMeters resources(scenario, network, platform, service, meters);
  Recorder recorder(calendar, timers, delayed, scenario, resources, service, meters, living, replica.length);
  std::optional<TraceTimeline> timeline;
  if (tracer != nullptr && samples > 0) timeline.emplace(calendar, resources, *tracer, samples);

  ClientWorld world{calendar, timers, service, windows, replica, tracer};
  std::vector<std::vector<Cores>> cores;
  std::vector<PoolOfClients> pools;
  pools.reserve(scenario.jobs.size());
  std::vector<Client> clients;
  // They stay where they are made.
  clients.reserve(streams);
  for (std::size_t p = 0; p < scenario.jobs.size(); ++p) {
    const JobPool& pool = scenario.jobs[p];
    cores.push_back(shared_cores(pool, timers, meters[p].cores));
    const auto first = static_cast<std::uint32_t>(clients.size());
    pools.push_back({.world = world,
                     .plan = plans[p],
                     .meter = meters[p],
                     .clients = clients.data() + first,
                     .first = first,
                     .count = stream_count(pool)});
    const double period_s = pool.start_over.value_or(network.classes[p].ideal_event_time).value;
    const std::vector<double> speeds = speeds_of_jobs(pool, first, replica);
    for (std::uint64_t stream = 0; stream < stream_count(pool); ++stream) {
      const StreamPlan plan = stream_plan(pool, stream, speeds, cores.back(), first, period_s, replica);
      clients.emplace_back(pools[p]).begin(plan);
    }
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

RunOutcome simulate(const System& system, const Replica& replica) {
  return run(system, replica, nullptr, 0).outcome;
}

TracedRun simulate_traced(const System& system, const Replica& replica, const TraceWindow& window) {
  RunTracer tracer(system.scenario, window, end_of_run_s(replica.length));
  return run(system, replica, &tracer, window.samples);
}

}  // namespace saturn
