#include "scenarios/demands.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "scenarios/ideal_event.hpp"
#include "scenarios/product_form.hpp"
#include "scenarios/routes.hpp"
#include "scenarios/stage_demand.hpp"

namespace saturn {

namespace {

/// Work of one event of a pool at each resource.
std::vector<double> event_work(const RoutedResources& routed, const std::vector<std::optional<StageDemand>>& demands) {
  std::vector<double> work(routed.resources.size(), 0.0);
  for (const auto& demand : demands)
    if (demand) std::transform(work.begin(), work.end(), demand->work.begin(), work.begin(), std::plus<>{});
  return work;
}

void set_think_times(ClosedNetwork& network) {
  for (std::size_t j = 0; j < network.classes.size(); ++j) {
    JobClass& c = network.classes[j];
    double served_s = 0.0;
    for (std::size_t r = 0; r < network.resources.size(); ++r) {
      if (network.resources[r].in_product_form) {
        served_s += network.work(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(r)) /
                    std::min(1.0, network.resources[r].units);
      }
    }
    c.think_time = Seconds{std::max(0.0, (c.ideal_event_time + c.set_up).value - served_s)};
  }
}

}  // namespace

std::vector<EventPart> ideal_event_parts(const Scenario& scenario, const JobPool& pool) {
  const RoutedResources routed = routed_resources(scenario);
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
  network.work = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(scenario.jobs.size()),
                                       static_cast<Eigen::Index>(routed.resources.size()));
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const JobPool& pool = scenario.jobs[j];
    const std::vector<std::optional<StageDemand>> stages = stage_demands(scenario, routed, pool);
    const IdealEvent event = mean_ideal_event(pool, stages);
    network.classes.push_back({.name = pool.name,
                               .clients = static_cast<double>(event_loops(pool)),
                               .ideal_event_time = Seconds{event.event_s},
                               .think_time = Seconds{},
                               .set_up = Seconds{event.set_up_s}});
    if (pool.arrivals) network.classes.back().arrivals = mean_rate(*pool.arrivals);
    std::vector<double> work = event_work(routed, stages);
    if (routed.cores[j]) work[*routed.cores[j]] = event.core_s;
    for (std::size_t r = 0; r < work.size(); ++r) {
      network.work(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(r)) = work[r];
    }
  }
  judge_product_form(scenario, routed, network);
  set_think_times(network);
  return network;
}

}  // namespace saturn
