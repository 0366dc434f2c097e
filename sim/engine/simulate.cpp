#include "sim/engine/simulate.hpp"

#include <simgrid/s4u.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/random_stream.hpp"
#include "scenarios/demands.hpp"
#include "sim/engine/arrivals.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/client.hpp"
#include "sim/engine/inference_service.hpp"
#include "sim/engine/platform.hpp"
#include "sim/engine/recorder.hpp"
#include "sim/engine/simgrid_clock.hpp"
#include "sim/engine/timers.hpp"

namespace saturn {

namespace {

/// SimGrid takes its settings as a command line, once a process.
simgrid::s4u::Engine& simgrid_engine() {
  static std::vector<std::string> arguments = {
      "saturn",
      "--log=root.thresh:critical",
#ifdef SATURN_SANITIZED
      // Sanitizers do not follow SimGrid's hand-written context switches.
      "--cfg=contexts/factory:thread",
#endif
  };
  static std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  static int argc = static_cast<int>(arguments.size());
  static simgrid::s4u::Engine engine(&argc, argv.data());
  return engine;
}

PoolPlan plan_of(const JobPool& pool, const InferenceService& service) {
  PoolPlan plan;
  plan.site = service.site_number(pool.site);
  for (const Stage& stage : pool.event) {
    if (const auto* cpu = std::get_if<CpuStage>(&stage)) {
      plan.stages.emplace_back(cpu->time);
      continue;
    }
    const auto& infer = std::get<InferStage>(stage);
    const RequestSplit split = split_requests(infer);
    plan.stages.emplace_back(InferPlan{
        .model = service.model_number(infer.model),
        .requests = static_cast<std::uint32_t>(split.requests),
        .batch = static_cast<std::uint32_t>(infer.request_batch),
        .last_items = static_cast<std::uint32_t>(split.last_items),
        .in_flight = static_cast<std::uint32_t>(infer.in_flight),
        .priority = static_cast<std::uint16_t>(infer.priority.value_or(0)),
        .lengths = {infer.item_lengths.begin(), infer.item_lengths.end()},
        .cpu_s_per_item = infer.cpu_alternative.value_or(Seconds{}).value / static_cast<double>(infer.items)});
  }
  return plan;
}

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

double start_of(const JobPool& pool, const JobClass& job_class, std::uint64_t loop, std::uint32_t entity,
                const Replica& replica) {
  double share = 0.0;
  switch (pool.start) {
    case JobStart::random:
      share = RandomStream(replica.seed, replica.index, entity, Purpose::start).uniform();
      break;
    case JobStart::staggered:
      share = static_cast<double>(loop) / job_class.clients;
      break;
  }
  return share * job_class.ideal_event_time.value;
}

}  // namespace

RunOutcome simulate(const Scenario& scenario, const Replica& replica) {
  simgrid::s4u::Engine& engine = simgrid_engine();
  const Platform platform(engine, scenario);
  const ClosedNetwork network = closed_network(scenario);

  Calendar calendar;
  InferenceService service(calendar, platform, scenario, replica);
  Timers timers(calendar);
  FrameArena frames;

  std::vector<PoolPlan> plans;
  std::vector<PoolMeter> meters;
  std::size_t loops = 0;
  for (const JobPool& pool : scenario.jobs) {
    plans.push_back(plan_of(pool, service));
    const std::size_t stages = pool.event.size();
    meters.push_back({std::vector<double>(stages), std::vector<std::uint64_t>(stages), {}, 0, 0.0});
    loops += pool.count * pool.threads;
  }
  const auto arrivals = arrivals_of(scenario, calendar, replica, plans, meters);
  timers.reserve(loops);
  Recorder recorder(calendar, timers, scenario, network, platform, service, meters, replica.length);

  ClientWorld world{calendar, timers, service, frames, replica};
  std::vector<Client> clients;
  clients.reserve(loops);
  for (std::size_t p = 0; p < scenario.jobs.size(); ++p) {
    const JobPool& pool = scenario.jobs[p];
    for (std::uint64_t loop = 0; loop < pool.count * pool.threads; ++loop) {
      const auto entity = static_cast<std::uint32_t>(clients.size());
      const double start = start_of(pool, network.classes[p], loop, entity, replica);
      clients.push_back(run_client(world, plans[p], meters[p], entity, start));
    }
  }

  const auto clock = std::make_shared<SimGridClock>(calendar, replica.drain);
  engine.add_model(clock);
  engine.run();
  clock->rethrow_if_failed();
  if (!calendar.stopped())
    throw std::logic_error("deadlock: SimGrid ended the run at " + std::to_string(calendar.now()) + " s");
  return recorder.outcome();
}

}  // namespace saturn
