#include "scenarios/stage_demand.hpp"

#include <algorithm>
#include <stdexcept>

#include "scenarios/demands.hpp"

namespace saturn {

namespace {

/// Equal requests of a stage.
struct RequestGroup {
  double count = 0.0;
  double items = 0.0;
};

std::vector<RequestGroup> groups_of(const InferStage& stage) {
  const RequestSplit split = split_requests(stage);
  const auto full = static_cast<double>(stage.request_batch);
  const auto last = static_cast<double>(split.last_items);
  if (split.last_items == stage.request_batch) return {{static_cast<double>(split.requests), full}};
  if (split.requests == 1) return {{1.0, last}};
  return {{static_cast<double>(split.requests - 1), full}, {1.0, last}};
}

/// A server that may answer, with its share of the requests.
struct Target {
  const Route* route = nullptr;
  const ServiceLaw* service = nullptr;
  double share = 0.0;
};

std::vector<Target> targets_of(const Scenario& scenario, const RoutedResources& routed, const std::string& site,
                               const InferStage& stage) {
  const std::vector<std::size_t> holders = servers_of(scenario, stage.model);
  if (holders.empty()) throw std::invalid_argument("stage_demand: no server holds the model " + stage.model);
  double nodes = 0.0;
  for (const std::size_t s : holders) nodes += static_cast<double>(scenario.servers[s].nodes);
  std::vector<Target> targets;
  for (const std::size_t s : holders) {
    const Server& server = scenario.servers[s];
    targets.push_back({.route = &routed.routes.at({site, s}),
                       .service = &scenario.models.at(stage.model).service.at(server.devices.type),
                       .share = static_cast<double>(server.nodes) / nodes});
  }
  return targets;
}

/// Adds the flows of one direction. The whole transfer takes the flow's own cap; the work at a resource is counted in
/// its units, which are as wide as the fastest flow through it.
void add_flows(StageDemand& demand, const std::vector<Crossing>& crossings, Bytes bytes) {
  for (const Crossing& crossing : crossings) demand.work[crossing.resource] += (bytes / crossing.unit_rate).value;
}

double latency_s(const Target& target, const Model& model, double items) {
  double total = mean(*target.service, items).value;
  if (const auto& network = target.route->network) {
    total += network->round_trip_time.value + ((model.input + model.output) * items / network->flow_cap).value;
  }
  return total;
}

double ideal_duration_s(const StageDemand& demand, const RoutedResources& routed, const InferStage& stage) {
  const double one_by_one = (demand.travel + demand.bandwidth + demand.device).value;
  if (stage.in_flight <= 1) return one_by_one;
  double bound = std::max(one_by_one / static_cast<double>(stage.in_flight), demand.largest_request.value);
  for (std::size_t r = 0; r < demand.work.size(); ++r) {
    bound = std::max(bound, demand.work[r] / routed.resources[r].units);
  }
  return bound;
}

}  // namespace

StageDemand stage_demand(const Scenario& scenario, const RoutedResources& routed, const std::string& site,
                         const InferStage& stage) {
  StageDemand demand;
  demand.work.assign(routed.resources.size(), 0.0);
  const Model& model = scenario.models.at(stage.model);
  const std::vector<RequestGroup> groups = groups_of(stage);
  for (const Target& target : targets_of(scenario, routed, site, stage)) {
    for (const RequestGroup& group : groups) {
      const double requests = group.count * target.share;
      const Seconds service = requests * mean(*target.service, group.items);
      demand.device += service;
      demand.work[target.route->device] += service.value;
      if (const auto& network = target.route->network) {
        const Bytes sent = model.input * (group.items * requests);
        const Bytes received = model.output * (group.items * requests);
        demand.travel += network->round_trip_time * requests;
        demand.bandwidth += (sent + received) / network->flow_cap;
        add_flows(demand, network->send, sent);
        add_flows(demand, network->receive, received);
      }
    }
    demand.largest_request += Seconds{target.share * latency_s(target, model, groups.front().items)};
  }
  demand.ideal = Seconds{ideal_duration_s(demand, routed, stage)};
  return demand;
}

std::vector<RequestService> request_services(const Scenario& scenario, const RoutedResources& routed,
                                             const std::string& site, const InferStage& stage) {
  std::vector<RequestService> services;
  for (const Target& target : targets_of(scenario, routed, site, stage)) {
    for (const RequestGroup& group : groups_of(stage)) {
      services.push_back({.device = target.route->device,
                          .mean_s = mean(*target.service, group.items).value,
                          .constant = is_constant(*target.service),
                          .exponential = is_exponential(*target.service)});
    }
  }
  return services;
}

}  // namespace saturn
