#include "scenarios/demands/stage_demand.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>

#include "models/queueing/best_split.hpp"
#include "scenarios/demands/slow_start_waits.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

RequestSplit split_requests(std::uint64_t items, std::uint64_t request_batch) {
  if (request_batch == 0) throw std::invalid_argument("split_requests: empty requests");
  if (items == 0) return {};
  const std::uint64_t requests = (items - 1) / request_batch + 1;
  return {.requests = requests, .last_items = items - (requests - 1) * request_batch};
}

std::vector<RequestGroup> request_groups(const InferStage& stage) {
  std::map<std::uint64_t, double, std::greater<>> counts;
  for (const CountWeight& entry : stage.items.table()) {
    const RequestSplit split = split_requests(entry.count, stage.request_batch);
    if (split.requests == 0) continue;
    if (split.requests > 1) counts[stage.request_batch] += entry.weight * static_cast<double>(split.requests - 1);
    counts[split.last_items] += entry.weight;
  }
  std::vector<RequestGroup> groups;
  for (const auto& [items, count] : counts) groups.push_back({.count = count, .items = items});
  return groups;
}

double mean_requests(const InferStage& stage) {
  double mean = 0.0;
  for (const CountWeight& entry : stage.items.table())
    mean += entry.weight * static_cast<double>(split_requests(entry.count, stage.request_batch).requests);
  return mean;
}

std::uint64_t most_requests(const InferStage& stage) {
  return split_requests(stage.items.largest(), stage.request_batch).requests;
}

bool sends_full_requests_only(const InferStage& stage) {
  const auto& table = stage.items.table();
  return std::all_of(table.begin(), table.end(),
                     [&](const CountWeight& entry) { return entry.count % stage.request_batch == 0; });
}

namespace {

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
  double host = 0.0;    ///< host part
};

LoneTimes lone_times(const StepService& step, const Server& server, const InferStage& stage, double items) {
  const double slice = largest_share(server);
  return {over_lengths(stage,
                       [&](double length) {
                         const BatchTime parts = mean_parts(*step.law, items * length);
                         return parts.host.value + parts.device.value / slice;
                       }),
          over_lengths(stage, [&](double length) { return mean_parts(*step.law, items * length).device.value; }),
          over_lengths(stage, [&](double length) { return mean_parts(*step.law, items * length).host.value; })};
}

/// What else may share a batch with a stage's requests.
struct Company {
  bool alike = true;        ///< only requests of one size and length
  double longest = 0.0;     ///< length of an item
  double most_items = 0.0;  ///< of a request
};

/// Of all requests that reach the model, of whatever job and through whatever ensemble; of nobody's without batches.
Company company_of(const Scenario& scenario, const std::string& model, const InferStage& stage) {
  Company company{.alike = lengths_of(stage).size() == 1};
  if (!joins_requests(scenario.models.at(model))) return company;
  for (const ModelCall& call : model_calls(scenario)) {
    const std::vector<std::string> steps = model_steps(scenario.models, call.infer.model);
    if (std::find(steps.begin(), steps.end(), model) == steps.end()) continue;
    const std::vector<double> lengths = lengths_of(call.infer);
    company.longest = std::max(company.longest, *std::max_element(lengths.begin(), lengths.end()));
    company.most_items = std::max(company.most_items, static_cast<double>(call.infer.request_batch));
    if (!sends_full_requests_only(call.infer) || call.infer.request_batch != stage.request_batch ||
        lengths != lengths_of(stage))
      company.alike = false;
  }
  return company;
}

/// The least that one request of a batch can cost: alone where requests are not batched, else its share of the batch in
/// which an item costs least.
LoneTimes least_times(const StepService& step, const Company& company, const Server& server, const InferStage& stage,
                      double items) {
  if (!joins_requests(*step.model)) return lone_times(step, server, stage, items);
  const std::vector<double> lengths = lengths_of(stage);
  const auto most = static_cast<double>(batch_limit(*step.model));
  // Requests are not split: of equal ones only whole multiples make a batch, of others anything up to the limit may.
  const double largest = (company.alike ? std::floor(most / items) * items : most) * company.longest;
  const double smallest = items * *std::min_element(lengths.begin(), lengths.end());
  const double request = std::max(smallest, company.most_items * company.longest);
  const LeastItemTime least = least_item_time(*step.law, smallest, request, std::max(smallest, largest),
                                              company.alike ? BatchSteps::multiples : BatchSteps::any);
  const double weight = items * over_lengths(stage, [](double length) { return length; });
  // Host parts do not shrink on a slice; the bound takes the device part at its largest share.
  return {weight * least.instance.value, weight * least.device.value, weight * least.host.value};
}

/// Speed at which a host handles a request alone [1].
double lone_host_speed(const Server& server) {
  // Nodes that share their queues share their workers too.
  const double nodes = server.balancing == Balancing::central_queue ? static_cast<double>(server.nodes) : 1.0;
  return std::min(1.0, server.host->workers * nodes);
}

/// What one request of one size asks, averaged over the servers.
struct RequestDemand {
  double travel = 0.0;
  double bandwidth = 0.0;
  double device = 0.0;
  double serialisation = 0.0;
  std::vector<double> work;

  double latency() const { return travel + bandwidth + device; }
};

/// What one request of one size asks of each server that it may go to.
struct RequestChoice {
  double least_latency = 0.0;                     ///< with the free ones at the server that answers soonest [s]
  std::vector<std::vector<ResourceWork>> work{};  ///< by server that all free ones go to
};

/// The requests of a stage, size by size.
class StageRequests {
 public:
  StageRequests(const Scenario& scenario, const RoutedResources& routed, const std::string& site,
                const InferStage& stage, Seconds pause)
      : stage_(stage), pause_(pause), model_(scenario.models.at(stage.model)), resources_(routed.resources) {
    for (const Target& target : targets_of(scenario, routed, site, stage)) {
      places_.push_back({target, {}});
      for (const StepService& step : steps_on(scenario, *target.server, stage.model))
        places_.back().steps.push_back({step, company_of(scenario, *step.name, stage)});
    }
    double nodes = 0.0;
    for (const Place& place : places_) nodes += static_cast<double>(place.target.server->nodes);
    for (const Place& place : places_) {
      const Server& server = *place.target.server;
      const bool drawn_twice = server.dispatch == Dispatch::power_of_two && chooses_for_requests(server.balancing);
      forced_.push_back(drawn_twice ? std::pow(static_cast<double>(server.nodes) / nodes, 2) : 0.0);
    }
  }

  /// Computed once a size.
  const RequestDemand& of(std::uint64_t items) {
    const auto [place, added] = known_.try_emplace(items);
    if (added) place->second = computed(static_cast<double>(items));
    return place->second;
  }

  /// Each server with all requests that have a choice.
  const RequestChoice& choice(std::uint64_t items) {
    const auto [place, added] = choices_.try_emplace(items);
    if (!added) return place->second;
    RequestChoice& choice = place->second;
    std::vector<double> latencies;
    for (const Place& one : places_) {
      Place alone = one;
      alone.target.share = 1.0;
      RequestDemand demand;
      demand.work.assign(resources_.size(), 0.0);
      add_service(demand, alone, static_cast<double>(items));
      add_network(demand, alone.target, static_cast<double>(items));
      latencies.push_back(demand.latency());
      choice.work.emplace_back();
      for (std::size_t r = 0; r < demand.work.size(); ++r)
        if (demand.work[r] > 0.0) choice.work.back().push_back({r, demand.work[r]});
    }
    double free = 1.0;
    for (std::size_t s = 0; s < forced_.size(); ++s) {
      free -= forced_[s];
      choice.least_latency += forced_[s] * latencies[s];
    }
    choice.least_latency += free * *std::min_element(latencies.begin(), latencies.end());
    if (free < 1.0) add_forced(choice.work, free);
    return choice;
  }

  /// Of all requests of a number of items.
  SlowStartWaits slow_start(const CountWeight& entry) const {
    SlowStartWaits waits;
    const RequestSplit split = split_requests(entry.count, stage_.request_batch);
    for (const Place& place : places_) {
      if (!place.target.route->network) continue;
      const SlowStartWaits here =
          slow_start_waits(*place.target.route->network, {model_.input, model_.output}, split, stage_, pause_);
      waits.total_s += place.target.share * here.total_s;
      waits.first_s += place.target.share * here.first_s;
    }
    return waits;
  }

  /// The pass with each request at the server that answers it soonest, and the work split as is best for this one.
  StagePass least_pass(const CountWeight& entry) {
    StagePass least = pass(entry);
    const RequestSplit split = split_requests(entry.count, stage_.request_batch);
    if (split.requests == 0) return least;
    const double full = static_cast<double>(split.requests - 1);
    const RequestChoice& last = choice(split.last_items);
    const RequestChoice& first = split.requests > 1 ? choice(stage_.request_batch) : last;
    least.requests_s = full * first.least_latency + last.least_latency;
    least.first_request_s = first.least_latency;
    const bool in_one_window = !stage_.asynchronous || split.requests <= stage_.in_flight;
    least.loop_last_s = in_one_window ? last.least_latency : first.least_latency;
    if (stage_.in_flight > 1) {
      std::vector<CallLoads> calls{loads_of(last, 1.0)};
      if (split.requests > 1) calls.push_back(loads_of(first, full));
      least.busiest_s = balanced_load(std::vector<double>(resources_.size(), 0.0), calls).largest;
    }
    return least;
  }

  StagePass pass(const CountWeight& entry) {
    StagePass pass{.weight = entry.weight};
    const RequestSplit split = split_requests(entry.count, stage_.request_batch);
    if (split.requests == 0) return pass;
    const double full = static_cast<double>(split.requests - 1);
    const RequestDemand& last = of(split.last_items);
    const RequestDemand& first = split.requests > 1 ? of(stage_.request_batch) : last;
    pass.requests_s = full * first.latency() + last.latency();
    pass.serialisation_s = full * first.serialisation + last.serialisation;
    pass.first_request_s = first.latency();
    pass.first_serialisation_s = first.serialisation;
    const bool in_one_window = !stage_.asynchronous || split.requests <= stage_.in_flight;
    pass.loop_serialisation_s =
        in_one_window ? pass.serialisation_s : static_cast<double>(stage_.in_flight) * first.serialisation;
    pass.loop_last_s = in_one_window ? last.latency() : first.latency();
    const SlowStartWaits waits = slow_start(entry);
    pass.requests_s += waits.total_s;
    pass.first_request_s += waits.first_s;
    for (std::size_t r = 0; r < resources_.size(); ++r)
      pass.busiest_s = std::max(pass.busiest_s, (full * first.work[r] + last.work[r]) / resources_[r].units);
    return pass;
  }

 private:
  struct Step {
    StepService service;
    Company company;
  };
  struct Place {
    Target target;
    std::vector<Step> steps;
  };

  /// Leaves a server the share of its own work that is free to go there, and adds what no server is spared.
  void add_forced(std::vector<std::vector<ResourceWork>>& work, double free) const {
    std::vector<double> forced(resources_.size(), 0.0);
    for (std::size_t s = 0; s < work.size(); ++s)
      for (const ResourceWork& one : work[s]) forced[one.resource] += forced_[s] * one.work_s;
    for (std::vector<ResourceWork>& server : work) {
      std::vector<double> all = forced;
      for (const ResourceWork& one : server) all[one.resource] += free * one.work_s;
      server.clear();
      for (std::size_t r = 0; r < all.size(); ++r)
        if (all[r] > 0.0) server.push_back({r, all[r]});
    }
  }

  CallLoads loads_of(const RequestChoice& choice, double requests) const {
    CallLoads loads;
    for (const std::vector<ResourceWork>& server : choice.work) {
      loads.emplace_back();
      for (const ResourceWork& work : server)
        loads.back().push_back({work.resource, requests * work.work_s / resources_[work.resource].units});
    }
    return loads;
  }

  RequestDemand computed(double items) const {
    RequestDemand demand;
    demand.work.assign(resources_.size(), 0.0);
    demand.serialisation = (stage_.client_cost.per_request + stage_.client_cost.per_item * items).value;
    for (const Place& place : places_) {
      add_service(demand, place, items);
      add_network(demand, place.target, items);
    }
    return demand;
  }

  /// Adds the work at the host, the instances and the devices of a server.
  void add_service(RequestDemand& demand, const Place& place, double items) const {
    const Server& server = *place.target.server;
    const double share = place.target.share;
    if (server.host) {
      const double work = server.host->per_request.value + items * server.host->per_item.value;
      demand.work[*place.target.resources->host] += share * work;
      demand.device += share * work / lone_host_speed(server);
    }
    // All devices of a node together are only as fast as their interference lets them be.
    const double together = std::pow(static_cast<double>(server.devices.count), server.devices.interference);
    for (const Step& step : place.steps) {
      demand.device += share * lone_times(step.service, server, stage_, items).instance;
      const LoneTimes least = least_times(step.service, step.company, server, stage_, items);
      demand.work[place.target.resources->devices] += share * least.device * together;
      if (place.target.resources->batch_workers)
        demand.work[*place.target.resources->batch_workers] += share * least.host;
      const auto instances = place.target.resources->instances.find(*step.service.name);
      if (instances != place.target.resources->instances.end())
        demand.work[instances->second] += share * least.instance;
    }
  }

  /// Adds the way to the server and back. The whole transfer takes the flow's own cap; the work at a resource is
  /// counted in its units, which are as wide as the fastest flow through it.
  void add_network(RequestDemand& demand, const Target& target, double items) const {
    const auto& network = target.route->network;
    if (!network) return;
    const Bytes sent = model_.input * (items * target.share);
    const Bytes received = model_.output * (items * target.share);
    demand.travel += network->round_trip_time.value * target.share;
    demand.bandwidth += (sent / network->send_cap + received / network->receive_cap).value;
    for (const Crossing& crossing : network->send) demand.work[crossing.resource] += (sent / crossing.unit_rate).value;
    for (const Crossing& crossing : network->receive)
      demand.work[crossing.resource] += (received / crossing.unit_rate).value;
  }

  const InferStage& stage_;
  Seconds pause_;
  const Model& model_;
  const std::vector<Resource>& resources_;
  std::vector<Place> places_;
  /// Share of the requests that a server gets however long its queue is: both of two nodes drawn may be its own.
  std::vector<double> forced_{};
  std::map<std::uint64_t, RequestDemand> known_;
  std::map<std::uint64_t, RequestChoice> choices_;
};

double duration_s(const StagePass& pass, double window, double slowness) {
  const double one_by_one = pass.requests_s + slowness * pass.serialisation_s;
  if (window <= 1.0) return one_by_one;
  return std::max({one_by_one / window, pass.first_request_s + slowness * pass.first_serialisation_s,
                   pass.loop_last_s + slowness * pass.loop_serialisation_s, pass.busiest_s});
}

/// Adds what a balanced stage has beside its means. @param mean  the pass of its mean numbers
void add_choices(const InferStage& stage, StageRequests& requests, const StagePass& mean, StageDemand& demand) {
  StagePass least = mean;
  least.requests_s = 0.0;
  for (const RequestGroup& group : request_groups(stage)) {
    const RequestChoice& one = requests.choice(group.items);
    least.requests_s += group.count * one.least_latency;
    demand.choices.push_back(one.work);
    for (std::vector<ResourceWork>& server : demand.choices.back())
      for (ResourceWork& work : server) work.work_s *= group.count;
  }
  if (stage.in_flight <= 1) {
    demand.least_passes = {least};
    return;
  }
  for (const CountWeight& entry : stage.items.table()) demand.least_passes.push_back(requests.least_pass(entry));
}

}  // namespace

bool load_chooses_server(const Scenario& scenario, const std::string& model) {
  const std::vector<std::size_t> holders = servers_of(scenario, model);
  if (holders.size() < 2) return false;
  const Server& server = scenario.servers[holders.front()];
  return server.balancing == Balancing::per_connection || server.dispatch == Dispatch::least_outstanding ||
         server.dispatch == Dispatch::power_of_two;
}

StageDemand at_best_servers(StageDemand demand) {
  if (!demand.least_passes.empty()) demand.passes = demand.least_passes;
  return demand;
}

double stage_duration_s(const StageDemand& demand, double slowness) {
  double total = 0.0;
  for (const StagePass& pass : demand.passes) total += pass.weight * duration_s(pass, demand.window, slowness);
  return total;
}

double loop_serialisation_s(const StageDemand& demand, double slowness) {
  double total = 0.0;
  for (const StagePass& pass : demand.passes) total += pass.weight * pass.loop_serialisation_s;
  return slowness * total;
}

StageDemand stage_demand(const Scenario& scenario, const RoutedResources& routed, const std::string& site,
                         const InferStage& stage, Seconds pause) {
  StageRequests requests(scenario, routed, site, stage, pause);
  StageDemand demand;
  demand.window = static_cast<double>(stage.in_flight);
  demand.work.assign(routed.resources.size(), 0.0);
  StagePass mean{.weight = 1.0};
  for (const RequestGroup& group : request_groups(stage)) {
    const RequestDemand& one = requests.of(group.items);
    demand.travel += Seconds{group.count * one.travel};
    demand.bandwidth += Seconds{group.count * one.bandwidth};
    demand.device += Seconds{group.count * one.device};
    demand.serialisation += Seconds{group.count * one.serialisation};
    for (std::size_t r = 0; r < demand.work.size(); ++r) demand.work[r] += group.count * one.work[r];
  }
  for (const CountWeight& entry : stage.items.table())
    demand.travel += Seconds{entry.weight * requests.slow_start(entry).total_s};
  mean.requests_s = (demand.travel + demand.bandwidth + demand.device).value;
  mean.serialisation_s = demand.serialisation.value;
  for (const CountWeight& entry : stage.items.table()) {
    const StagePass pass = requests.pass(entry);
    mean.loop_serialisation_s += pass.weight * pass.loop_serialisation_s;
    if (stage.in_flight > 1) demand.passes.push_back(pass);
  }
  if (stage.in_flight <= 1) demand.passes = {mean};
  if (load_chooses_server(scenario, stage.model)) add_choices(stage, requests, mean, demand);
  return demand;
}

std::vector<RequestService> request_services(const Scenario& scenario, const RoutedResources& routed,
                                             const std::string& site, const InferStage& stage) {
  std::vector<RequestService> services;
  for (const Target& target : targets_of(scenario, routed, site, stage)) {
    for (const RequestGroup& group : request_groups(stage)) {
      const auto items = static_cast<double>(group.items);
      for (const StepService& step : steps_on(scenario, *target.server, stage.model)) {
        const bool one_length = lengths_of(stage).size() == 1;
        services.push_back({.server = static_cast<std::size_t>(target.server - scenario.servers.data()),
                            .mean_s = lone_times(step, *target.server, stage, items).instance,
                            .constant = is_constant(*step.law) && one_length,
                            .exponential = is_exponential(*step.law) && one_length});
      }
    }
  }
  return services;
}

}  // namespace saturn
