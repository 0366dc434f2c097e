#include "scenarios/demands/demands.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "models/queueing/best_split.hpp"
#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/closed_network.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/ideal_event.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"

namespace saturn {

/// Decides which resources mean value analysis may take as stations (Resource::in_product_form) and writes down, one
/// sentence each, why the network of a scenario is only approximately of product form.
/// @param network  of the scenario, with resources, classes and work filled in
/// Source: Baskett, Chandy, Muntz & Palacios, J. ACM 22 (1975) 248
void judge_product_form(const Scenario& scenario, const RoutedResources& routed, ClosedNetwork& network);

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

/// The least that a request takes in an instance on average over its lengths, whoever shares its batch [s].
double least_execution_s(const ServiceLaw& law, const InferStage& stage) {
  const std::vector<double> lengths = stage.item_lengths.empty() ? std::vector<double>{1.0} : stage.item_lengths;
  double sum = 0.0;
  for (const double length : lengths) {
    double least = mean(law, padded_items(law, length)).value;
    for (const MeasuredPoint& point : law.points)
      if (point.items > length) least = std::min(least, mean(law, point.items).value);
    sum += least;
  }
  return sum / static_cast<double>(lengths.size());
}

/// Time for which a sequence of one event holds its slot, at the least: its executions one after the other, and between
/// them the way of each answer and of the next request, which the stream makes meanwhile; expected over events, also
/// those without requests [s].
/// @param slowness  1 over the speed of the fastest job
double event_hold_s(const InferStage& stage, const StageDemand& demand, const NetworkPath* path, double execution_s,
                    double slowness) {
  double pauses = 0.0;
  for (const CountWeight& entry : stage.items.table())
    if (entry.count > 1) pauses += entry.weight * static_cast<double>(entry.count - 1);
  const double requests = mean_requests(stage);
  // What windows that grow add falls on some requests more than on others, and is left out with all of the way.
  const bool even = path == nullptr || !path->slow_start;
  const double way_s = even ? (demand.travel + demand.bandwidth).value / requests : 0.0;
  return requests * execution_s + pauses * (way_s + slowness * demand.serialisation.value / requests);
}

/// The same of a job's sequence, for each of its events: all of those after the first that sends a request.
/// @param sends   probability that an event does
/// @param events  of the job; 0: without end
double job_hold_s(double event_s, double hold_s, double sends, double events) {
  if (events == 0.0) return event_s;
  const double ever = 1.0 - std::pow(1.0 - sends, events);
  return ((events - ever / sends) * event_s + ever * hold_s / sends) / events;
}

/// Adds the time for which the sequences of one event hold slots of stateful models.
/// @param event_s  least time of an event
void add_sequences(const Scenario& scenario, const RoutedResources& routed, std::size_t job_class,
                   const std::vector<std::optional<StageDemand>>& demands, double event_s, ClosedNetwork& network) {
  const JobPool& pool = scenario.jobs[job_class];
  const double slowness = 1.0 / fastest_speed(pool.speed, pool.count);
  for (std::size_t s = 0; s < pool.event.size(); ++s) {
    const auto* infer = std::get_if<InferStage>(&pool.event[s]);
    if (infer == nullptr) continue;
    double sends = 0.0;
    for (const CountWeight& entry : infer->items.table())
      if (entry.count > 0) sends += entry.weight;
    for (const std::string& step : model_steps(scenario.models, infer->model)) {
      const Model& model = scenario.models.at(step);
      if (!model.sequence_batching) continue;
      const std::size_t server = servers_of(scenario, infer->model).front();
      const ServiceLaw& law = model.service.at(scenario.servers[server].devices.type);
      const auto& path = routed.routes.at({pool.site, server}).network;
      const double hold_s =
          event_hold_s(*infer, *demands[s], path ? &*path : nullptr, least_execution_s(law, *infer), slowness);
      network.work(job_class, routed.servers[server].slots.at(step)) +=
          infer->sequence == SequenceScope::event
              ? hold_s
              : job_hold_s(event_s, hold_s, sends, static_cast<double>(events_per_stream(pool)));
    }
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

const char* name_of(StagePart part) {
  // In the order of StagePart.
  return std::array{"cpu", "serialisation", "bandwidth", "travel", "device"}.at(static_cast<std::size_t>(part));
}

std::vector<EventPart> ideal_event_parts(const Scenario& scenario, const JobPool& pool) {
  return ideal_event_parts(scenario, routed_resources(scenario), pool);
}

std::vector<EventPart> ideal_event_parts(const Scenario& scenario, const RoutedResources& routed, const JobPool& pool) {
  const IdealEvent event = mean_ideal_event(pool, stage_demands(scenario, routed, pool));
  std::vector<EventPart> parts;
  for (std::size_t s = 0; s < pool.event.size(); ++s) {
    const std::string label = std::visit([](const auto& stage) { return stage.label; }, pool.event[s]);
    const bool computes = std::holds_alternative<CpuStage>(pool.event[s]);
    for (std::size_t p = 0; p < event.stages[s].seconds.size(); ++p) {
      const auto part = static_cast<StagePart>(p);
      const double seconds = event.stages[s].seconds[p];
      const bool is_shown = part != StagePart::serialisation || seconds > 0.0;
      if (computes == (part == StagePart::cpu) && is_shown)
        parts.push_back({.label = label, .part = part, .seconds = seconds});
    }
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
                               .clients = static_cast<double>(stream_count(pool)),
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
    add_sequences(scenario, routed, j, stages, least_event_time(network.classes.back()).value, network);
  }
  spread_free_calls(network);
  judge_product_form(scenario, routed, network);
  set_think_times(network);
  return network;
}

namespace {

void judge_clients(const Scenario& scenario, std::vector<std::string>& violations) {
  if (scenario.jobs.size() > 1) {
    violations.push_back("the scenario has " + std::to_string(scenario.jobs.size()) + " kinds of jobs");
  }
  std::vector<std::string> asynchronous;
  for (const JobPool& pool : scenario.jobs) {
    if (!is_constant(pool.speed))
      violations.push_back("the jobs of " + in_quotes(pool.name) + " have different speeds");
    if (shares_cores(pool))
      violations.push_back("the streams of a job of " + in_quotes(pool.name) + " wait for its cores");
    if (pool.arrivals) violations.push_back("events of the jobs " + in_quotes(pool.name) + " arrive from outside");
    for (const InferStage* infer : model_calls(pool)) {
      if (infer->asynchronous) asynchronous.push_back(in_quotes(infer->label));
      if (infer->in_flight > 1)
        violations.push_back("stage " + in_quotes(infer->label) + " keeps up to " + std::to_string(infer->in_flight) +
                             " requests in flight");
    }
  }
  if (asynchronous.empty()) return;
  violations.push_back("events go on while asynchronous stages are under way: " + joined(asynchronous));
}

/// Cores that are held through blocking calls are no station of their own: the call's resources are.
void judge_cores(const Scenario& scenario, const RoutedResources& routed, ClosedNetwork& network) {
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    if (!routed.cores[j]) continue;
    const bool blocks =
        std::ranges::any_of(model_calls(scenario.jobs[j]), [](const InferStage* call) { return !call->asynchronous; });
    if (blocks) network.resources[*routed.cores[j]].in_product_form = false;
  }
}

bool equal_speeds(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

/// Requests by the server that serves them.
using ServicesByServer = std::map<std::size_t, std::vector<RequestService>>;

ServicesByServer services_by_server(const Scenario& scenario, const RoutedResources& routed) {
  ServicesByServer services;
  for (const ModelCall& call : model_calls(scenario))
    for (const RequestService& service : request_services(scenario, routed, call.pool.site, call.infer))
      services[service.server].push_back(service);
  return services;
}

void judge_devices(const Scenario& scenario, const RoutedResources& routed, const ServicesByServer& by_server,
                   std::vector<std::string>& violations) {
  for (const auto& [index, services] : by_server) {
    const std::string name = in_quotes(routed.resources[routed.servers[index].devices].name);
    const auto constant = [](const RequestService& s) { return s.constant; };
    const auto exponential = [](const RequestService& s) { return s.exponential; };
    const double first_mean_s = services.front().mean_s;
    const auto as_the_first = [&](const RequestService& s) { return equal_speeds(s.mean_s, first_mean_s); };
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
    if (server.devices.dispatch == DeviceDispatch::per_device_queue && units_of(server.devices) > 1)
      violations.push_back("each device of a node of " + in_quotes(server.name) + " has a queue of its own");
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

/// A batch holds its instance, and meanwhile its device and the workers of its host part, one after the other: the
/// instances are the station where their demand is the largest, else what they hold.
void judge_instances(const RoutedResources& routed, ClosedNetwork& network) {
  for (const ServerResources& server : routed.servers) {
    std::size_t station = server.devices;
    if (server.batch_workers && largest_demand(network, *server.batch_workers) > largest_demand(network, station))
      station = *server.batch_workers;
    bool instances_bind = false;
    for (const auto& [model, instances] : server.instances) {
      if (largest_demand(network, instances) <= largest_demand(network, station)) continue;
      station = instances;
      instances_bind = true;
    }
    for (const auto& [model, instances] : server.instances)
      network.resources[instances].in_product_form = instances == station;
    for (const auto& [model, slots] : server.slots) network.resources[slots].in_product_form = false;
    if (!instances_bind) continue;
    network.resources[server.devices].in_product_form = false;
    if (server.batch_workers) network.resources[*server.batch_workers].in_product_form = false;
  }
}

/// What a server does that a queue for equal devices does not.
void judge_servers(const Scenario& scenario, const RoutedResources& routed, const ServicesByServer& by_server,
                   std::vector<std::string>& violations) {
  for (const auto& [index, services] : by_server) {
    const Server& server = scenario.servers[index];
    for (const std::string& name : server.models) {
      const Model& model = scenario.models.at(name);
      if (joins_requests(model))
        violations.push_back("requests of " + in_quotes(name) +
                             " are executed in batches, at best at the cost per item of "
                             "the best batch");
      if (model.sequence_batching)
        violations.push_back("sequences hold slots of " + in_quotes(name) + ", each of one instance");
      if (model.queue_policy.max_queue_size || model.queue_policy.timeout)
        violations.push_back("the queue of " + in_quotes(name) + " may reject or put off requests");
    }
    if (!routed.servers[index].instances.empty())
      violations.push_back("instances at " + in_quotes(server.name) +
                           " hold a device for only a part of the time they take");
    const DeviceType& type = scenario.devices.at(server.devices.type);
    if (type.contention > 0.0 || type.contention_per_batch > Seconds{0.0})
      violations.push_back("instances that use a device of " + in_quotes(server.name) + " together slow it down");
    if (!server.devices.mig.empty()) violations.push_back("the devices of " + in_quotes(server.name) + " are sliced");
    if (server.devices.interference > 0.0)
      violations.push_back("the devices of a node of " + in_quotes(server.name) + " slow each other down");
    if (server.sag)
      violations.push_back("nodes of " + in_quotes(server.name) + " slow down with the requests that are there");
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
      if (!equal_speeds(crossing.unit_rate.value, cap.value)) shared.mixed_speeds.insert(crossing.resource);
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
  std::vector<std::string> overlooked;
  // Knees come with the largest demand first, so that the resource that would hold flows up longest stays.
  for (const Knee& knee : asymptotic_bounds(network).knees) {
    const std::vector<std::size_t>& ways = shared.ways_over[knee.resource];
    if (std::none_of(ways.begin(), ways.end(), [&](std::size_t way) { return has_station[way]; })) {
      for (const std::size_t way : ways) has_station[way] = true;
      continue;
    }
    network.resources[knee.resource].in_product_form = false;
    overlooked.push_back(in_quotes(network.resources[knee.resource].name));
  }
  if (!overlooked.empty()) {
    network.product_form_violations.push_back(
        "a transfer crosses several links or cards at once; only the one with "
        "the largest demand makes it wait, not " +
        joined(overlooked));
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
  const ServicesByServer by_server = services_by_server(scenario, routed);
  judge_devices(scenario, routed, by_server, network.product_form_violations);
  judge_instances(routed, network);
  judge_servers(scenario, routed, by_server, network.product_form_violations);
  judge_dispatch(scenario, network.product_form_violations);
}

}  // namespace saturn
