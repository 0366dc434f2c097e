#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "models/words/texts.hpp"
#include "scenarios/demands/ideal_event.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/study/report/report_parts.hpp"

namespace saturn {

namespace {

std::string why_no_pool(const JobPool& pool) {
  if (pool.arrivals)
    return "Events arrive from outside at " + in_quotes(pool.name) +
           ", which the panel's formulas know of one pool with one server.";
  if (shares_cores(pool))
    return "Streams of " + in_quotes(pool.name) +
           " share the cores of their jobs, which the panel's formulas leave out.";
  if (pool.events_per_job)
    return "Jobs of " + in_quotes(pool.name) + " set up anew, which the panel's formulas leave out.";
  if (!is_constant(pool.speed))
    return "Jobs of " + in_quotes(pool.name) + " have different speeds, which the panel's formulas leave out.";
  for (const InferStage* call : model_calls(pool))
    if (call->in_flight > 1)
      return "Requests overlap with each other (" + in_quotes(call->label) +
             "), so that round trips do not simply add up.";
  return "";
}

/// What can be counted of a server, at its present price.
PlannerServer planner_server(const Scenario& scenario, const Server& server, const std::string& device_word) {
  const double in_node = static_cast<double>(server.devices.count);
  const bool by_nodes = server.nodes > 1;
  PlannerServer one{.name = server.name,
                    .site = server.site,
                    .counted = device_word + "s",
                    .count = by_nodes ? static_cast<double>(server.nodes) : in_node,
                    .devices_each = by_nodes ? in_node : 1.0};
  if (by_nodes) one.counted = in_node > 1.0 ? "nodes of " + counted(in_node, device_word) : "nodes";
  const auto type = scenario.devices.find(server.devices.type);
  if (type != scenario.devices.end() && type->second.price) one.device_usd_per_hour = type->second.price->value;
  if (by_nodes && server.host_price) one.node_usd_per_hour = server.host_price->value;
  return one;
}

/// Which resources grow with a server: with its nodes all that stand in them, with the devices of its one node those
/// and the instances on them.
std::vector<PlannerShared> planner_resources(const Scenario& scenario, const RoutedResources& routed,
                                             const ClosedNetwork& network) {
  std::vector<PlannerShared> resources;
  for (const Resource& resource : network.resources) resources.push_back({.name = resource.name, .server = {}});
  for (std::size_t s = 0; s < routed.servers.size(); ++s) {
    const ServerResources& own = routed.servers[s];
    resources[own.devices].server = s;
    for (const auto& [model, instances] : own.instances) resources[instances].server = s;
    for (const auto& [model, slots] : own.slots) resources[slots].server = s;
    const Server& server = scenario.servers[s];
    if (server.nodes == 1) continue;
    if (own.host) resources[*own.host].server = s;
    if (own.batch_workers) resources[*own.batch_workers].server = s;
    for (PlannerShared& resource : resources)
      for (const char* side : {" nic in", " nic out", " bus in", " bus out"})
        if (resource.name == server.name + side) resource.server = s;
  }
  return resources;
}

/// Links and uplinks have a bandwidth that moves, but where connections start slowly, which a faster link does not make
/// faster in proportion.
void add_bandwidths(std::vector<PlannerShared>& resources, const RoutedResources& routed) {
  const auto for_each_crossing = [&](bool slow_start, const auto& take) {
    for (const auto& [ends, route] : routed.routes) {
      if (!route.network || route.network->slow_start.has_value() != slow_start) continue;
      for (const std::vector<Crossing>* way : {&route.network->send, &route.network->receive})
        for (const Crossing& crossing : *way) take(crossing);
    }
  };
  for_each_crossing(false, [&](const Crossing& crossing) {
    const Resource& resource = routed.resources[crossing.resource];
    if (resource.kind == ResourceKind::link || resource.kind == ResourceKind::uplink)
      resources[crossing.resource].bandwidth_bytes_per_s = crossing.unit_rate.value * resource.units;
  });
  for_each_crossing(true,
                    [&](const Crossing& crossing) { resources[crossing.resource].bandwidth_bytes_per_s.reset(); });
}

/// The least of what caps a flow on one direction of a path, and no slider moves [byte/s].
double cap_beside_sliders(const Scenario& scenario, const RoutedResources& routed, const NetworkPath& path,
                          const Server& server, const std::vector<Crossing>& way,
                          const std::vector<PlannerShared>& resources) {
  double cap = HUGE_VAL;
  for (const LinkHop& hop : path.links)
    if (const std::optional<Bandwidth>& per_flow = scenario.links[hop.link].per_flow)
      cap = std::min(cap, per_flow->value);
  for (const Crossing& crossing : way) {
    if (resources[crossing.resource].bandwidth_bytes_per_s) continue;
    const Resource& resource = routed.resources[crossing.resource];
    const bool is_of_nodes = resource.kind == ResourceKind::network_card || resource.kind == ResourceKind::bus;
    const std::optional<Bandwidth> inlet = is_of_nodes ? inlet_of(server) : std::nullopt;
    cap = std::min(cap, inlet ? inlet->value : crossing.unit_rate.value * resource.units);
  }
  return cap;
}

/// Takes the transfers of a stage out of its fixed part, where they are what the sliders' bandwidths and the other caps
/// say.
void move_transfers(PlannerStage& stage, const StageDemand& demand, const Scenario& scenario,
                    const RoutedResources& routed, const NetworkPath& path, std::size_t server, const InferStage& call,
                    const std::vector<PlannerShared>& resources) {
  const auto model = scenario.models.find(call.model);
  if (model == scenario.models.end()) return;
  const auto transfer = [&](const std::vector<Crossing>& way, Bytes bytes_per_item) {
    PlannerTransfer one{
        .bytes = call.items.mean() * bytes_per_item.value,
        .cap_bytes_per_s = cap_beside_sliders(scenario, routed, path, scenario.servers[server], way, resources)};
    for (const Crossing& crossing : way)
      if (resources[crossing.resource].bandwidth_bytes_per_s) one.resources.push_back(crossing.resource);
    return one;
  };
  const std::vector<PlannerTransfer> both{transfer(path.send, model->second.input),
                                          transfer(path.receive, model->second.output)};
  double seconds = 0.0;
  for (const PlannerTransfer& one : both) {
    double rate = one.cap_bytes_per_s;
    for (const std::size_t r : one.resources) rate = std::min(rate, *resources[r].bandwidth_bytes_per_s);
    seconds += one.bytes / rate;
  }
  constexpr double rounding = 1e-9;
  if (std::abs(seconds - demand.bandwidth.value) > rounding * demand.bandwidth.value) return;
  stage.transfers = both;
  stage.fixed_s -= seconds;
}

PlannerStage planner_call(const StageDemand& demand, const NetworkPath* path, double slowness, bool asynchronous) {
  PlannerStage stage{.fixed_s = stage_duration_s(demand, slowness),
                     .asynchronous = asynchronous,
                     .sending_s = asynchronous ? loop_serialisation_s(demand, slowness) : 0.0};
  const double round_trip_s = path != nullptr ? path->round_trip_time.value : 0.0;
  if (!(round_trip_s > 0.0) || path->links.empty()) return stage;
  stage.round_trips = demand.travel.value / round_trip_s;
  stage.fixed_s -= demand.travel.value;
  for (const LinkHop& hop : path->links) stage.links.push_back(hop.link);
  return stage;
}

std::vector<PlannerStage> planner_stages(const Scenario& scenario, const RoutedResources& routed, const JobPool& pool,
                                         const std::vector<PlannerShared>& resources) {
  const std::vector<std::optional<StageDemand>> demands = stage_demands(scenario, routed, pool);
  const double slowness = 1.0 / speed_classes(pool.speed, pool.count).front().speed;
  std::vector<PlannerStage> stages;
  for (std::size_t s = 0; s < pool.event.size(); ++s) {
    if (const auto* cpu = std::get_if<CpuStage>(&pool.event[s])) {
      stages.push_back({.fixed_s = slowness * mean(cpu->time).value});
    } else {
      const InferStage& infer = std::get<InferStage>(pool.event[s]);
      const std::size_t server = servers_of(scenario, infer.model).front();
      const auto route = routed.routes.find({pool.site, server});
      const bool has_path = route != routed.routes.end() && route->second.network;
      const NetworkPath* path = has_path ? &*route->second.network : nullptr;
      stages.push_back(planner_call(*demands[s], path, slowness, infer.asynchronous));
      if (has_path) move_transfers(stages.back(), *demands[s], scenario, routed, *path, server, infer, resources);
    }
    stages.back().needs = needed_stages(pool.event, s);
  }
  return stages;
}

}  // namespace

std::string why_no_network(const Scenario& scenario) {
  for (const JobPool& pool : scenario.jobs)
    if (std::string why = why_no_pool(pool); !why.empty()) return why;
  if (scenario.servers.empty()) return "There is no server whose devices the panel could count.";
  if (scenario.platform)
    return "The network comes from a platform file, in which no one link is the way to the server.";
  for (const ModelCall& call : model_calls(scenario))
    if (servers_of(scenario, call.infer.model).size() > 1)
      return "Several servers hold " + in_quotes(call.infer.model) +
             ", and which of them is asked moves with the load; saturn plan weighs them.";
  return "";
}

PlannerNetwork planner_network(const System& system) {
  const Scenario& scenario = system.scenario;
  const RoutedResources routed = routed_resources(scenario);
  const Matrix demand = demands(system.network);
  PlannerNetwork network{.resources = planner_resources(scenario, routed, system.network)};
  add_bandwidths(network.resources, routed);
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const JobPool& pool = scenario.jobs[j];
    network.pools.push_back({.name = pool.name,
                             .streams = static_cast<double>(stream_count(pool)),
                             .stages = planner_stages(scenario, routed, pool, network.resources),
                             .traffic_usd_per_event = traffic_usd_per_event(scenario, pool)});
    for (std::size_t r = 0; r < network.resources.size(); ++r) network.pools.back().demands_s.push_back(demand(j, r));
  }
  for (const Server& server : scenario.servers)
    network.servers.push_back(planner_server(scenario, server, device_word_of(scenario)));
  for (const Link& link : scenario.links)
    network.links.push_back(
        {.name = link.site_a == link.site_b ? "within " + link.site_a : link.site_a + " and " + link.site_b,
         .round_trip_s = link.round_trip_time.value});
  return network;
}

}  // namespace saturn
