#include "sim/engine/simulate.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "models/random_stream.hpp"
#include "scenarios/demands.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/client.hpp"
#include "sim/engine/inference_service.hpp"
#include "sim/engine/platform.hpp"
#include "sim/engine/recorder.hpp"
#include "sim/engine/simgrid_engine.hpp"
#include "sim/engine/timers.hpp"

namespace saturn {

namespace {

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
  const Platform platform(simgrid_engine(), scenario);
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

  // SimGrid has dates of its own where it carries the transfers.
  run_calendar(calendar, replica.drain && scenario.flows == FlowModel::aggregated);
  if (!calendar.stopped())
    throw std::logic_error("deadlock: SimGrid ended the run at " + std::to_string(calendar.now()) + " s");
  return recorder.outcome();
}

}  // namespace saturn
