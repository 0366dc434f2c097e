#include "scenarios/demands.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/best_split.hpp"
#include "scenarios/ideal_event.hpp"
#include "scenarios/product_form.hpp"
#include "scenarios/routes.hpp"
#include "scenarios/stage_demand.hpp"

namespace saturn {

namespace {

/// Adds what one event of a class asks at each resource.
void add_work(const std::vector<std::optional<StageDemand>>& demands, std::size_t job_class, ClosedNetwork& network) {
  for (const auto& demand : demands) {
    if (!demand) continue;
    for (const std::vector<std::vector<ResourceWork>>& servers : demand->choices)
      network.free_calls.push_back({.job_class = job_class, .servers = servers});
    if (!demand->choices.empty()) continue;
    for (std::size_t r = 0; r < demand->work.size(); ++r) network.work(job_class, r) += demand->work[r];
  }
}

/// Spreads the free calls for the mix of events that nothing hinders.
void spread_free_calls(ClosedNetwork& network) {
  if (network.free_calls.empty()) return;
  network.fixed_work = network.work;
  std::vector<double> rates;
  for (const JobClass& c : network.classes) {
    const double cycle_s = (least_event_time(c) + c.set_up).value;
    if (!(cycle_s > 0.0)) throw std::invalid_argument("closed_network: the events of " + c.name + " take no time");
    rates.push_back(c.clients / cycle_s);
  }
  network.work = balanced_work(network, rates);
}

void set_think_times(ClosedNetwork& network) {
  for (std::size_t j = 0; j < network.classes.size(); ++j) {
    JobClass& c = network.classes[j];
    double served_s = 0.0;
    for (std::size_t r = 0; r < network.resources.size(); ++r) {
      if (network.resources[r].in_product_form) {
        served_s += network.work(j, r) / std::min(1.0, network.resources[r].units);
      }
    }
    c.think_time = Seconds{std::max(0.0, (c.ideal_event_time + c.set_up).value - served_s)};
  }
}

}  // namespace

std::vector<EventPart> ideal_event_parts(const Scenario& scenario, const JobPool& pool) {
  return ideal_event_parts(scenario, routed_resources(scenario), pool);
}

std::vector<EventPart> ideal_event_parts(const Scenario& scenario, const RoutedResources& routed, const JobPool& pool) {
  const IdealEvent event = mean_ideal_event(pool, stage_demands(scenario, routed, pool));
  std::vector<EventPart> parts;
  for (std::size_t s = 0; s < pool.event.size(); ++s) {
    const IdealStage& times = event.stages[s];
    const std::string label = std::visit([](const auto& stage) { return stage.label; }, pool.event[s]);
    if (std::holds_alternative<CpuStage>(pool.event[s])) {
      parts.push_back({.label = label, .part = "cpu", .seconds = times.cpu_s});
      continue;
    }
    if (times.serialisation_s > 0.0)
      parts.push_back({.label = label, .part = "serialisation", .seconds = times.serialisation_s});
    parts.push_back({.label = label, .part = "bandwidth", .seconds = times.bandwidth_s});
    parts.push_back({.label = label, .part = "travel", .seconds = times.travel_s});
    parts.push_back({.label = label, .part = "device", .seconds = times.device_s});
  }
  return parts;
}

ClosedNetwork closed_network(const Scenario& scenario) {
  const RoutedResources routed = routed_resources(scenario);
  ClosedNetwork network;
  network.resources = routed.resources;
  network.work = Matrix(scenario.jobs.size(), routed.resources.size());
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const JobPool& pool = scenario.jobs[j];
    std::vector<std::optional<StageDemand>> stages = stage_demands(scenario, routed, pool);
    const IdealEvent event = mean_ideal_event(pool, stages);
    add_work(stages, j, network);
    double core_s = event.core_s;
    network.classes.push_back({.name = pool.name,
                               .clients = static_cast<double>(event_loops(pool)),
                               .ideal_event_time = Seconds{event.event_s},
                               .think_time = Seconds{},
                               .set_up = Seconds{event.set_up_s}});
    if (pool.arrivals) network.classes.back().arrivals = mean_rate(*pool.arrivals);
    const bool free = std::any_of(stages.begin(), stages.end(), [](const std::optional<StageDemand>& stage) {
      return stage && !stage->choices.empty();
    });
    if (free) {
      for (std::optional<StageDemand>& stage : stages)
        if (stage) *stage = at_best_servers(std::move(*stage));
      const IdealEvent least = mean_ideal_event(pool, stages);
      network.classes.back().least_event_time = Seconds{least.event_s};
      core_s = least.core_s;
    }
    if (routed.cores[j]) network.work(j, *routed.cores[j]) = core_s;
  }
  spread_free_calls(network);
  judge_product_form(scenario, routed, network);
  set_think_times(network);
  return network;
}

}  // namespace saturn
