#include "scenarios/stage_demand.hpp"

#include <algorithm>
#include <cmath>
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
  const Server* server = nullptr;
  const ServerResources* resources = nullptr;
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
                       .server = &server,
                       .resources = &routed.servers[s],
                       .share = static_cast<double>(server.nodes) / nodes});
  }
  return targets;
}

/// One step of a called model on one server.
struct StepService {
  const std::string* name = nullptr;
  const Model* model = nullptr;
  const ServiceLaw* law = nullptr;
};

std::vector<StepService> steps_on(const Scenario& scenario, const Server& server, const std::string& model) {
  std::vector<StepService> steps;
  for (const std::string& name : model_steps(scenario.models, model)) {
    const auto found = scenario.models.find(name);
    steps.push_back(
        {.name = &found->first, .model = &found->second, .law = &found->second.service.at(server.devices.type)});
  }
  return steps;
}

std::vector<double> lengths_of(const InferStage& stage) {
  return stage.item_lengths.empty() ? std::vector<double>{1.0} : stage.item_lengths;
}

/// Expected value over the lengths that a request may have.
template <class Of>
double over_lengths(const InferStage& stage, const Of& of) {
  const std::vector<double> lengths = lengths_of(stage);
  double sum = 0.0;
  for (const double length : lengths) sum += of(length);
  return sum / static_cast<double>(lengths.size());
}

/// Expected times of one request that is executed alone on the largest slice [s].
struct LoneTimes {
  double instance = 0.0;
  double device = 0.0;  ///< in seconds of a whole device
};

LoneTimes lone_times(const StepService& step, const Server& server, const InferStage& stage, double items) {
  const double slice = largest_share(server);
  return {over_lengths(stage,
                       [&](double length) {
                         const BatchTime parts = mean_parts(*step.law, items * length);
                         return parts.host.value + parts.device.value / slice;
                       }),
          over_lengths(stage, [&](double length) { return mean_parts(*step.law, items * length).device.value; })};
}

/// What else may share a batch with a stage's requests.
struct Company {
  bool alike = true;     ///< only requests of one size and length
  double longest = 0.0;  ///< length of an item
};

/// Of all requests that reach the model, of whatever job and through whatever ensemble.
Company company_of(const Scenario& scenario, const std::string& model, const InferStage& stage) {
  Company company{.alike = lengths_of(stage).size() == 1};
  for (const JobPool& pool : scenario.jobs) {
    for (const Stage& called : pool.event) {
      const auto* other = std::get_if<InferStage>(&called);
      if (other == nullptr) continue;
      const std::vector<std::string> steps = model_steps(scenario.models, other->model);
      if (std::find(steps.begin(), steps.end(), model) == steps.end()) continue;
      const std::vector<double> lengths = lengths_of(*other);
      company.longest = std::max(company.longest, *std::max_element(lengths.begin(), lengths.end()));
      const bool full_only = other->items % other->request_batch == 0;
      if (!full_only || other->request_batch != stage.request_batch || lengths != lengths_of(stage))
        company.alike = false;
    }
  }
  return company;
}

/// The least that one request of a batch can cost: alone where requests are not batched, else its share of the batch in
/// which an item costs least.
LoneTimes least_times(const Scenario& scenario, const StepService& step, const Server& server, const InferStage& stage,
                      double items) {
  if (!step.model->dynamic_batching) return lone_times(step, server, stage, items);
  const std::vector<double> lengths = lengths_of(stage);
  const auto most = static_cast<double>(step.model->max_batch_size);
  // Requests are not split: of equal ones only whole multiples make a batch, of others anything up to the limit may.
  const Company company = company_of(scenario, *step.name, stage);
  const double largest = (company.alike ? std::floor(most / items) * items : most) * company.longest;
  const double smallest = items * *std::min_element(lengths.begin(), lengths.end());
  const LeastItemTime least = least_item_time(*step.law, smallest, std::max(smallest, largest));
  const double weight = items * over_lengths(stage, [](double length) { return length; });
  // Host parts do not shrink on a slice; the bound takes the device part at its largest share.
  return {weight * least.instance.value, weight * least.device.value};
}

/// Speed at which a host handles a request alone [1].
double lone_host_speed(const Server& server) {
  // Nodes that share their queues share their workers too.
  const double nodes = server.balancing == Balancing::central_queue ? static_cast<double>(server.nodes) : 1.0;
  return std::min(1.0, server.host->workers * nodes);
}

/// Adds the work of `requests` requests of one size at the host, the instances and the devices of a server.
void add_service(StageDemand& demand, const Scenario& scenario, const Target& target, const InferStage& stage,
                 double items, double requests) {
  const Server& server = *target.server;
  if (server.host) {
    const double work = server.host->per_request.value + items * server.host->per_item.value;
    demand.work[*target.resources->host] += requests * work;
    demand.device += Seconds{requests * work / lone_host_speed(server)};
  }
  // All devices of a node together are only as fast as their interference lets them be.
  const double together = std::pow(static_cast<double>(server.devices.count), server.devices.interference);
  for (const StepService& step : steps_on(scenario, server, stage.model)) {
    demand.device += Seconds{requests * lone_times(step, server, stage, items).instance};
    const LoneTimes least = least_times(scenario, step, server, stage, items);
    demand.work[target.resources->devices] += requests * least.device * together;
    const auto instances = target.resources->instances.find(*step.name);
    if (instances != target.resources->instances.end()) demand.work[instances->second] += requests * least.instance;
  }
}

/// Adds the flows of one direction. The whole transfer takes the flow's own cap; the work at a resource is counted in
/// its units, which are as wide as the fastest flow through it.
void add_flows(StageDemand& demand, const std::vector<Crossing>& crossings, Bytes bytes) {
  for (const Crossing& crossing : crossings) demand.work[crossing.resource] += (bytes / crossing.unit_rate).value;
}

/// Latency of one request, nothing waiting.
double latency_s(const Scenario& scenario, const Target& target, const InferStage& stage, double items) {
  const Model& model = scenario.models.at(stage.model);
  const Server& server = *target.server;
  double total = 0.0;
  if (server.host)
    total += (server.host->per_request.value + items * server.host->per_item.value) / lone_host_speed(server);
  for (const StepService& step : steps_on(scenario, server, stage.model))
    total += lone_times(step, server, stage, items).instance;
  if (const auto& network = target.route->network) {
    total += network->round_trip_time.value + (model.input * items / network->send_cap).value +
             (model.output * items / network->receive_cap).value;
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
      add_service(demand, scenario, target, stage, group.items, requests);
      if (const auto& network = target.route->network) {
        const Bytes sent = model.input * (group.items * requests);
        const Bytes received = model.output * (group.items * requests);
        demand.travel += network->round_trip_time * requests;
        demand.bandwidth += sent / network->send_cap + received / network->receive_cap;
        add_flows(demand, network->send, sent);
        add_flows(demand, network->receive, received);
      }
    }
    demand.largest_request += Seconds{target.share * latency_s(scenario, target, stage, groups.front().items)};
  }
  demand.ideal = Seconds{ideal_duration_s(demand, routed, stage)};
  return demand;
}

std::vector<RequestService> request_services(const Scenario& scenario, const RoutedResources& routed,
                                             const std::string& site, const InferStage& stage) {
  std::vector<RequestService> services;
  for (const Target& target : targets_of(scenario, routed, site, stage)) {
    for (const RequestGroup& group : groups_of(stage)) {
      for (const StepService& step : steps_on(scenario, *target.server, stage.model)) {
        const bool one_length = lengths_of(stage).size() == 1;
        services.push_back({.server = static_cast<std::size_t>(target.server - scenario.servers.data()),
                            .mean_s = lone_times(step, *target.server, stage, group.items).instance,
                            .constant = is_constant(*step.law) && one_length,
                            .exponential = is_exponential(*step.law) && one_length});
      }
    }
  }
  return services;
}

}  // namespace saturn
