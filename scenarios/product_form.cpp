#include "scenarios/product_form.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "models/bounds.hpp"
#include "scenarios/stage_demand.hpp"

namespace saturn {

namespace {

std::string in_quotes(const std::string& name) {
  return '"' + name + '"';
}

void judge_clients(const Scenario& scenario, std::vector<std::string>& violations) {
  if (scenario.jobs.size() > 1) {
    violations.push_back("the scenario has " + std::to_string(scenario.jobs.size()) + " kinds of jobs");
  }
  std::vector<std::string> asynchronous;
  for (const JobPool& pool : scenario.jobs) {
    if (!is_constant(pool.speed))
      violations.push_back("the jobs of " + in_quotes(pool.name) + " have different speeds");
    if (shares_cores(pool))
      violations.push_back("the event loops of a job of " + in_quotes(pool.name) + " wait for its cores");
    if (pool.arrivals) violations.push_back("events of the jobs " + in_quotes(pool.name) + " arrive from outside");
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr) continue;
      if (infer->asynchronous) asynchronous.push_back(in_quotes(infer->label));
      if (infer->in_flight > 1)
        violations.push_back("stage " + in_quotes(infer->label) + " keeps up to " + std::to_string(infer->in_flight) +
                             " requests in flight");
    }
  }
  if (asynchronous.empty()) return;
  std::string stages;
  for (const std::string& stage : asynchronous) stages += (stages.empty() ? "" : ", ") + stage;
  violations.push_back("events go on while asynchronous stages are under way: " + stages);
}

/// Cores that are held through blocking calls are no station of their own: the call's resources are.
void judge_cores(const Scenario& scenario, const RoutedResources& routed, ClosedNetwork& network) {
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    if (!routed.cores[j]) continue;
    const std::vector<Stage>& event = scenario.jobs[j].event;
    const bool blocks = std::any_of(event.begin(), event.end(), [](const Stage& stage) {
      const auto* infer = std::get_if<InferStage>(&stage);
      return infer != nullptr && !infer->asynchronous;
    });
    if (blocks) network.resources[*routed.cores[j]].in_product_form = false;
  }
}

bool nearly_equal(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

/// Requests by the server that serves them.
std::map<std::size_t, std::vector<RequestService>> services_by_server(const Scenario& scenario,
                                                                      const RoutedResources& routed) {
  std::map<std::size_t, std::vector<RequestService>> services;
  for (const JobPool& pool : scenario.jobs) {
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr) continue;
      for (const RequestService& service : request_services(scenario, routed, pool.site, *infer)) {
        services[service.server].push_back(service);
      }
    }
  }
  return services;
}

void judge_devices(const Scenario& scenario, const RoutedResources& routed, std::vector<std::string>& violations) {
  for (const auto& [index, services] : services_by_server(scenario, routed)) {
    const std::string name = in_quotes(routed.resources[routed.servers[index].devices].name);
    const auto constant = [](const RequestService& s) { return s.constant; };
    const auto exponential = [](const RequestService& s) { return s.exponential; };
    const double first_mean_s = services.front().mean_s;
    const auto as_the_first = [&](const RequestService& s) { return nearly_equal(s.mean_s, first_mean_s); };
    if (std::all_of(services.begin(), services.end(), constant)) {
      violations.push_back("service times at " + name + " are constant, not exponential");
    } else if (!std::all_of(services.begin(), services.end(), exponential)) {
      violations.push_back("service times at " + name + " are not exponential");
    } else if (!std::all_of(services.begin(), services.end(), as_the_first)) {
      violations.push_back("requests of different mean service time share the queue of " + name + "");
    }
    const Server& server = scenario.servers[index];
    if (server.nodes > 1 && server.balancing != Balancing::central_queue) {
      violations.push_back("each of the " + std::to_string(server.nodes) + " nodes of " + in_quotes(server.name) +
                           " has a queue of its own");
    }
  }
}

/// Of one event of any class.
double most_work(const ClosedNetwork& network, std::size_t resource) {
  double most = network.work(0, resource);
  for (std::size_t j = 1; j < network.work.rows(); ++j) most = std::max(most, network.work(j, resource));
  return most;
}

double largest_demand(const ClosedNetwork& network, std::size_t resource) {
  return most_work(network, resource) / network.resources[resource].units;
}

/// A batch holds its instance and for a part of that time its device, at once: the one with the larger demand stays the
/// station.
void judge_instances(const RoutedResources& routed, ClosedNetwork& network) {
  for (const ServerResources& server : routed.servers) {
    std::size_t station = server.devices;
    for (const auto& [model, instances] : server.instances)
      if (largest_demand(network, instances) > largest_demand(network, station)) station = instances;
    for (const auto& [model, instances] : server.instances)
      network.resources[instances].in_product_form = instances == station;
    if (station != server.devices) network.resources[server.devices].in_product_form = false;
  }
}

/// What a server does that a queue for equal devices does not.
void judge_servers(const Scenario& scenario, const RoutedResources& routed, std::vector<std::string>& violations) {
  for (const auto& [index, services] : services_by_server(scenario, routed)) {
    const Server& server = scenario.servers[index];
    for (const std::string& name : server.models) {
      const Model& model = scenario.models.at(name);
      if (model.dynamic_batching)
        violations.push_back("requests of " + in_quotes(name) +
                             " are executed in batches, at best at the cost per item of "
                             "the best batch");
      if (model.queue_policy.max_queue_size || model.queue_policy.timeout)
        violations.push_back("the queue of " + in_quotes(name) + " may reject or put off requests");
    }
    if (!routed.servers[index].instances.empty())
      violations.push_back("instances at " + in_quotes(server.name) +
                           " hold a device for only a part of the time they take");
    if (scenario.devices.at(server.devices.type).contention > 0.0)
      violations.push_back("instances that use a device of " + in_quotes(server.name) + " together slow it down");
    if (!server.devices.mig.empty()) violations.push_back("the devices of " + in_quotes(server.name) + " are sliced");
    if (server.devices.interference > 0.0)
      violations.push_back("the devices of a node of " + in_quotes(server.name) + " slow each other down");
  }
}

void judge_dispatch(const Scenario& scenario, std::vector<std::string>& violations) {
  for (const auto& [name, model] : scenario.models) {
    const std::vector<std::size_t> holders = servers_of(scenario, name);
    const bool at_random = std::all_of(holders.begin(), holders.end(),
                                       [&](std::size_t s) { return scenario.servers[s].dispatch == Dispatch::random; });
    if (holders.size() > 1 && !at_random) {
      violations.push_back("calls of model " + in_quotes(name) + " go to " + std::to_string(holders.size()) +
                           " servers by a rule");
    }
  }
}

/// Flows that cross the same resources in one direction, and resources whose flows have different speed limits.
struct SharedFlows {
  std::vector<std::vector<std::size_t>> ways_over;  ///< by resource, those that cross it
  std::size_t ways = 0;
  std::set<std::size_t> mixed_speeds;
};

SharedFlows shared_flows(const RoutedResources& routed, const ClosedNetwork& network) {
  SharedFlows shared{.ways_over = std::vector<std::vector<std::size_t>>(network.resources.size()), .mixed_speeds = {}};
  const auto add = [&](const std::vector<Crossing>& crossings, Bandwidth cap) {
    for (const Crossing& crossing : crossings) {
      if (!(most_work(network, crossing.resource) > 0.0)) continue;
      if (!nearly_equal(crossing.unit_rate.value, cap.value)) shared.mixed_speeds.insert(crossing.resource);
      shared.ways_over[crossing.resource].push_back(shared.ways);
    }
    ++shared.ways;
  };
  for (const auto& [ends, route] : routed.routes) {
    if (!route.network) continue;
    add(route.network->send, route.network->send_cap);
    add(route.network->receive, route.network->receive_cap);
  }
  return shared;
}

void judge_flows(const RoutedResources& routed, ClosedNetwork& network) {
  const SharedFlows shared = shared_flows(routed, network);
  std::vector<bool> has_station(shared.ways, false);
  std::string overlooked;
  // Knees come with the largest demand first, so that the resource that would hold flows up longest stays.
  for (const Knee& knee : asymptotic_bounds(network).knees) {
    const std::vector<std::size_t>& ways = shared.ways_over[knee.resource];
    if (std::none_of(ways.begin(), ways.end(), [&](std::size_t way) { return has_station[way]; })) {
      for (const std::size_t way : ways) has_station[way] = true;
      continue;
    }
    network.resources[knee.resource].in_product_form = false;
    overlooked += (overlooked.empty() ? "" : ", ") + in_quotes(network.resources[knee.resource].name);
  }
  if (!overlooked.empty()) {
    network.product_form_violations.push_back(
        "a transfer crosses several links or cards at once; only the one with "
        "the largest demand makes it wait, not " +
        overlooked);
  }
  for (const std::size_t resource : shared.mixed_speeds) {
    if (!network.resources[resource].in_product_form) continue;
    network.product_form_violations.push_back("flows of different speed limits share " +
                                              in_quotes(network.resources[resource].name) + "");
  }
}

}  // namespace

void judge_product_form(const Scenario& scenario, const RoutedResources& routed, ClosedNetwork& network) {
  judge_clients(scenario, network.product_form_violations);
  judge_cores(scenario, routed, network);
  judge_flows(routed, network);
  judge_devices(scenario, routed, network.product_form_violations);
  judge_instances(routed, network);
  judge_servers(scenario, routed, network.product_form_violations);
  judge_dispatch(scenario, network.product_form_violations);
}

}  // namespace saturn
