#include "sim/formula/starvation.hpp"

#include <algorithm>
#include <cmath>

#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"

namespace saturn {

namespace {

/// A batch in which requests wait for each other takes at least so much longer than what a device would have alone.
constexpr double noticed = 1.5;

double time_s(const ServiceLaw& law, double items, double request) {
  return mean(law, std::min(items, largest_batch(law))).value + joining_s(law, std::max(1.0, items / request));
}

/// What idle devices of a server share, of one of its models; nothing where they do not, or nobody calls it.
std::vector<SharedQueue> shared_queues(const Scenario& scenario, std::size_t place) {
  const Server& server = scenario.servers[place];
  if (server.devices.dispatch != DeviceDispatch::shared_queue) return {};
  const bool one_queue = server.balancing == Balancing::central_queue;
  const std::uint64_t devices = units_of(server.devices) * (one_queue ? server.nodes : 1);
  if (devices < 2) return {};
  std::vector<SharedQueue> queues;
  for (const std::string& name : server.models) {
    const Model& model = scenario.models.at(name);
    if (!model.dynamic_batching || model.forming == BatchForming::ahead) continue;
    SharedQueue queue{.model = name, .server = server.name, .devices = devices};
    double longest = 1.0;
    double in_flight = 0.0;
    for (const ModelCall& call : model_calls(scenario)) {
      const std::vector<std::size_t> holders = servers_of(scenario, call.infer.model);
      if (std::find(holders.begin(), holders.end(), place) == holders.end()) continue;
      const std::vector<std::string> steps = model_steps(scenario.models, call.infer.model);
      if (std::find(steps.begin(), steps.end(), name) == steps.end()) continue;
      double queues_of_model = 0.0;
      for (const std::size_t s : holders)
        queues_of_model += scenario.servers[s].balancing == Balancing::central_queue
                               ? 1.0
                               : static_cast<double>(scenario.servers[s].nodes);
      queue.request = std::max(queue.request, std::min(call.infer.request_batch, call.infer.items.largest()));
      for (const double length : call.infer.item_lengths) longest = std::max(longest, length);
      const auto at_once = static_cast<double>(std::min(call.infer.in_flight, most_requests(call.infer)));
      in_flight += static_cast<double>(stream_count(call.pool)) * at_once / queues_of_model;
    }
    if (in_flight == 0.0) continue;
    const bool cut = model.max_queue_delay.value == 0.0 && !model.preferred_batch_size.empty();
    const std::uint64_t limit =
        cut ? *std::max_element(model.preferred_batch_size.begin(), model.preferred_batch_size.end())
            : model.max_batch_size;
    queue.requests = static_cast<std::uint64_t>(std::ceil(in_flight));
    queue.taken = std::max(queue.request, std::min(limit, queue.requests * queue.request));
    queue.enough = enough_items(model, queue.request, longest, queue.taken);
    queues.push_back(queue);
  }
  return queues;
}

/// Share of the server's devices that the jobs would keep busy if nobody waited [1].
double unhindered_use(const System& system, std::size_t place) {
  double events_per_s = system.bounds.events_per_s;
  if (all_open(system.scenario)) {
    double offered = 0.0;
    for (const JobClass& one : system.network.classes) offered += one.arrivals ? one.arrivals->value : 0.0;
    events_per_s = std::min(events_per_s, offered);
  }
  for (const Knee& knee : system.bounds.knees)
    if (knee.resource == place) return events_per_s * knee.demand_s;
  return 0.0;
}

/// Mean size of the batch that an item is executed in [item]; 0 where nothing was executed.
double batch_of_an_item(const ModelResults& model) {
  double items = 0.0;
  double squares = 0.0;
  for (const auto& [size, batches] : model.batches) {
    items += static_cast<double>(size) * static_cast<double>(batches);
    squares += static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(batches);
  }
  return items > 0.0 ? squares / items : 0.0;
}

const ServiceLaw& law_of(const Scenario& scenario, const SharedQueue& queue, std::size_t place) {
  return scenario.models.at(queue.model).service.at(scenario.servers[place].devices.type);
}

}  // namespace

std::uint64_t enough_items(const Model& model, std::uint64_t request, double longest, std::uint64_t largest) {
  const auto cost = [&](std::uint64_t items) {
    double most = 0.0;
    for (const auto& [type, law] : model.service) {
      const double size = std::min(static_cast<double>(items) * longest, largest_batch(law));
      most = std::max(most, time_s(law, size, static_cast<double>(request) * longest) / size);
    }
    return most;
  };
  const double limit = 1.1 * cost(largest);
  std::uint64_t items = request;
  // By single requests up to eight, then by about an eighth: a limit of a billion items is reached soon.
  while (items < largest && cost(items) > limit) items += request * std::max<std::uint64_t>(1, items / (8 * request));
  return std::max(request, std::min(items, largest));
}

std::vector<SharedQueue> starving_queues(const System& system) {
  const Scenario& scenario = system.scenario;
  std::vector<SharedQueue> found;
  for (std::size_t place = 0; place < scenario.servers.size(); ++place) {
    for (const SharedQueue& queue : shared_queues(scenario, place)) {
      const ServiceLaw& law = law_of(scenario, queue, place);
      const auto devices = static_cast<double>(queue.devices);
      const auto request = static_cast<double>(queue.request);
      const double in_flight = static_cast<double>(queue.requests) * static_cast<double>(queue.request);
      const double share = std::max(request, in_flight / devices);
      const auto taken = static_cast<double>(queue.taken);
      const double all_devices = system.network.resources[place].units;
      if (taken >= 2.0 * share && time_s(law, taken, request) >= noticed * time_s(law, share, request) &&
          unhindered_use(system, place) * all_devices >= 1.0)
        found.push_back(queue);
    }
  }
  return found;
}

std::vector<SharedQueue> starved_queues(const System& system, const Results& results) {
  constexpr double mostly_busy = 0.9;
  constexpr double slower = 1.02;
  const Scenario& scenario = system.scenario;
  std::vector<SharedQueue> found;
  if (results.all_jobs.times_grow || results.all_jobs["slowdown"].mean < slower) return found;
  for (std::size_t place = 0; place < scenario.servers.size(); ++place) {
    // Devices are the first resources, in the order of the servers.
    const std::string& resource = system.network.resources[place].name;
    const auto used = std::find_if(results.resources.begin(), results.resources.end(),
                                   [&](const ResourceResults& one) { return one.name == resource; });
    if (used == results.resources.end() || (*used)["busy_fraction"].mean > mostly_busy) continue;
    for (const SharedQueue& queue : shared_queues(scenario, place)) {
      const auto model = std::find_if(results.models.begin(), results.models.end(),
                                      [&](const ModelResults& one) { return one.name == queue.model; });
      if (model == results.models.end()) continue;
      const double items = batch_of_an_item(*model);
      const ServiceLaw& law = law_of(scenario, queue, place);
      const auto request = static_cast<double>(queue.request);
      if (items >= request * static_cast<double>(queue.devices) &&
          time_s(law, items, request) >= noticed * time_s(law, request, request))
        found.push_back(queue);
    }
  }
  return found;
}

std::string in_words(const SharedQueue& queue) {
  const std::string others =
      queue.devices == 2 ? "the other one goes" : "the other " + with_commas(queue.devices - 1) + " go";
  return "one idle device of " + queue.server + " takes up to " + counted_with_commas(queue.taken, "item") + " of " +
         queue.model + " at once, of " + counted_with_commas(queue.requests, "request") + " of " +
         counted_with_commas(queue.request, "item") + " that may be in flight, and " + others +
         " without until it has done them; which comes about depends on the start. Any of these costs nothing: for " +
         queue.model + " \"preferred_batch_size\": [" + std::to_string(queue.enough) +
         "] (or \"batch_forming\": \"ahead\", which Triton 21.09 to 21.12 does); for the devices of " + queue.server +
         " \"dispatch\": \"per_device_queue\". run --explain tries them.";
}

Scenario after_burst(const System& system) {
  Scenario scenario = system.scenario;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    JobPool& pool = scenario.jobs[j];
    if (pool.arrivals) continue;
    pool.start = JobStart::random;
    pool.start_over = 0.5 * system.network.classes[j].ideal_event_time;
  }
  return scenario;
}

}  // namespace saturn
