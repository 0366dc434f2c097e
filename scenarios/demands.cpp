#include "scenarios/demands.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "scenarios/product_form.hpp"
#include "scenarios/routes.hpp"
#include "scenarios/stage_demand.hpp"

namespace saturn {

namespace {

/// One event of a pool: its ideal duration, and its work at each resource.
struct EventDemand {
  double ideal_s = 0.0;
  std::vector<double> work;
};

EventDemand event_demand(const Scenario& scenario, const RoutedResources& routed, const JobPool& pool) {
  EventDemand event;
  event.work.assign(routed.resources.size(), 0.0);
  for (const Stage& stage : pool.event) {
    if (const auto* cpu = std::get_if<CpuStage>(&stage)) {
      event.ideal_s += mean(cpu->time).value;
    } else {
      const StageDemand demand = stage_demand(scenario, routed, pool.site, std::get<InferStage>(stage));
      event.ideal_s += demand.ideal.value;
      std::transform(event.work.begin(), event.work.end(), demand.work.begin(), event.work.begin(), std::plus<>{});
    }
  }
  return event;
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
    c.think_time = Seconds{std::max(0.0, c.ideal_event_time.value - served_s)};
  }
}

}  // namespace

RequestSplit split_requests(const InferStage& stage) {
  if (stage.items == 0 || stage.request_batch == 0) {
    throw std::invalid_argument("split_requests: stage " + stage.label + " has no items or empty requests");
  }
  const std::uint64_t requests = (stage.items - 1) / stage.request_batch + 1;
  return {.requests = requests, .last_items = stage.items - (requests - 1) * stage.request_batch};
}

std::vector<EventPart> ideal_event_parts(const Scenario& scenario, const JobPool& pool) {
  const RoutedResources routed = routed_resources(scenario);
  std::vector<EventPart> parts;
  for (const Stage& stage : pool.event) {
    if (const auto* cpu = std::get_if<CpuStage>(&stage)) {
      parts.push_back({.label = cpu->label, .part = "cpu", .seconds = mean(cpu->time).value});
      continue;
    }
    const auto& infer = std::get<InferStage>(stage);
    const StageDemand demand = stage_demand(scenario, routed, pool.site, infer);
    const double one_by_one = (demand.bandwidth + demand.travel + demand.device).value;
    // Calls in flight together overlap; each part keeps its share of the shorter duration.
    const double overlap = one_by_one > 0.0 ? demand.ideal.value / one_by_one : 0.0;
    parts.push_back({.label = infer.label, .part = "bandwidth", .seconds = overlap * demand.bandwidth.value});
    parts.push_back({.label = infer.label, .part = "travel", .seconds = overlap * demand.travel.value});
    parts.push_back({.label = infer.label, .part = "device", .seconds = overlap * demand.device.value});
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
    const EventDemand event = event_demand(scenario, routed, pool);
    network.classes.push_back({.name = pool.name,
                               .clients = static_cast<double>(pool.count) * static_cast<double>(pool.threads),
                               .ideal_event_time = Seconds{event.ideal_s},
                               .think_time = Seconds{}});
    if (pool.arrivals) network.classes.back().arrivals = mean_rate(*pool.arrivals);
    for (std::size_t r = 0; r < event.work.size(); ++r) {
      network.work(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(r)) = event.work[r];
    }
  }
  judge_product_form(scenario, routed, network);
  set_think_times(network);
  return network;
}

}  // namespace saturn
