#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include "scenarios/demands/demands.hpp"
#include "scenarios/demands/ideal_event.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"

namespace saturn {

namespace {

/// Whole devices that a server's devices, or their slices, come to.
double device_units(const Server& server) {
  const double shares =
      server.devices.mig.empty() ? 1.0 : std::accumulate(server.devices.mig.begin(), server.devices.mig.end(), 0.0);
  return static_cast<double>(server.nodes * server.devices.count) * shares;
}

double instance_units(const Server& server, const Model& model) {
  const std::size_t slices = std::max<std::size_t>(1, server.devices.mig.size());
  return static_cast<double>(server.nodes * server.devices.count * slices * batches_at_once(model));
}

}  // namespace

double largest_share(const Server& server) {
  return server.devices.mig.empty() ? 1.0 : *std::max_element(server.devices.mig.begin(), server.devices.mig.end());
}

std::vector<ServerResources> server_resources(const Scenario& scenario, std::vector<Resource>& resources) {
  std::vector<ServerResources> servers;
  for (const Server& server : scenario.servers) {
    servers.push_back({.devices = resources.size(), .host = std::nullopt, .instances = {}});
    resources.push_back({.name = server.name + "/" + server.devices.type,
                         .kind = scenario.devices.at(server.devices.type).kind,
                         .units = device_units(server)});
  }
  for (std::size_t s = 0; s < servers.size(); ++s) {
    const Server& server = scenario.servers[s];
    if (server.host) {
      servers[s].host = resources.size();
      resources.push_back({.name = server.name + " host",
                           .kind = ResourceKind::host,
                           .units = static_cast<double>(server.nodes) * server.host->workers});
    }
    if (server.batch_workers) {
      servers[s].batch_workers = resources.size();
      resources.push_back({.name = server.name + " batch workers",
                           .kind = ResourceKind::host,
                           .units = static_cast<double>(server.nodes) * *server.batch_workers});
    }
    for (const std::string& name : server.models) {
      const Model& model = scenario.models.at(name);
      if (model.sequence_batching) {
        servers[s].slots[name] = resources.size();
        resources.push_back({.name = server.name + " sequence slots of " + name,
                             .kind = ResourceKind::sequence_slots,
                             .units = instance_units(server, model) * static_cast<double>(sequence_slots(model))});
      }
      // An instance that only ever waits for its device or uses it is no resource of its own.
      if (!model.ensemble.empty() || !has_host_part(model.service.at(server.devices.type))) continue;
      servers[s].instances[name] = resources.size();
      resources.push_back({.name = server.name + " instances of " + name,
                           .kind = ResourceKind::instances,
                           .units = instance_units(server, model)});
    }
  }
  return servers;
}

namespace {

std::uint64_t devices_of(const Server& server) {
  return server.nodes * server.devices.count;
}

/// Servers that answer the pool's calls.
std::set<std::size_t> called_servers(const Scenario& scenario, const JobPool& pool) {
  std::set<std::size_t> called;
  for (const InferStage* call : model_calls(pool))
    for (const std::size_t s : servers_of(scenario, call->model)) called.insert(s);
  return called;
}

/// True when a server does what a plain queue for its devices does not.
bool does_more_than_queue(const Scenario& scenario, const Server& server) {
  if (server.host || !server.devices.mig.empty() || server.devices.interference > 0.0) return true;
  return std::any_of(server.models.begin(), server.models.end(), [&](const std::string& name) {
    const Model& model = scenario.models.at(name);
    if (!model.ensemble.empty()) return false;
    const BatchTime parts = mean_parts(model.service.at(server.devices.type), 1.0);
    return joins_requests(model) || parts.host > Seconds{0.0};
  });
}

/// Empty when the formula's one number of devices describes the scenario.
std::string outside_the_formula(const Scenario& scenario) {
  if (scenario.jobs.size() != 1) return "the published formula knows one kind of job";
  const JobPool& pool = scenario.jobs.front();
  if (pool.arrivals) return "the published formula knows jobs that begin their next event themselves, not arrivals";
  const std::set<std::size_t> called = called_servers(scenario, pool);
  if (called.empty()) return "the published formula needs a stage that calls a model";
  const std::vector<const InferStage*> calls = model_calls(pool);
  if (std::ranges::any_of(calls, [](const InferStage* call) { return call->in_flight > 1; }))
    return "the published formula knows blocking calls only, one request in flight";
  if (std::ranges::any_of(calls, &InferStage::asynchronous))
    return "the published formula knows blocking calls only, no asynchronous stage";
  if (shares_cores(pool)) return "the published formula knows streams with a core of their own";
  if (pool.events_per_job && pool.job_setup > Seconds{0.0})
    return "the published formula knows endless jobs, no time to set them up";
  for (const std::size_t s : called) {
    if (does_more_than_queue(scenario, scenario.servers[s]))
      return "the published formula knows devices that execute one request at a time, no batching and no host";
  }
  std::set<std::string> types;
  for (const std::size_t s : called) types.insert(scenario.servers[s].devices.type);
  if (types.size() > 1) return "the published formula knows one kind of device";
  const ClosedNetwork network = closed_network(scenario);
  const Matrix demand = demands(network);
  const double first = demand(0, *called.begin());
  for (const std::size_t s : called) {
    if (std::abs(demand(0, s) - first) > 1e-9 * first) {
      return "the published formula takes all devices as equally loaded";
    }
  }
  if (!(first > 0.0)) return "the published formula needs a device time above zero";
  return "";
}

}  // namespace

PublishedFormula published_formula(const Scenario& scenario) {
  PublishedFormula published{.formula = {}, .why_not = outside_the_formula(scenario)};
  if (!published.why_not.empty()) return published;
  const JobPool& pool = scenario.jobs.front();
  SaturationFormula& formula = published.formula;
  for (const EventPart& part : ideal_event_parts(scenario, pool)) {
    (part.part == StagePart::cpu      ? formula.cpu_s
     : part.part == StagePart::device ? formula.gpu_s
                                      : formula.latency_s) += part.seconds;
  }
  formula.clients = stream_count(scenario);
  for (const std::size_t s : called_servers(scenario, pool)) {
    formula.gpus += static_cast<double>(devices_of(scenario.servers[s]));
  }
  return published;
}

CpuOnly cpu_only(const Scenario& scenario, const JobPool& pool) {
  return cpu_only(scenario, routed_resources(scenario), pool);
}

CpuOnly cpu_only(const Scenario& scenario, const RoutedResources& routed, const JobPool& pool) {
  const IdealEvent event = mean_ideal_event(pool, stage_demands(scenario, routed, pool));
  double speeds = 0.0;
  for (const SpeedClass& one : speed_classes(pool.speed, pool.count))
    speeds += static_cast<double>(one.jobs) * one.speed;
  // Events that only compute end at a rate in proportion to their job's speed.
  const double slowness = static_cast<double>(pool.count) / speeds;
  CpuOnly result{.known = true};
  for (std::size_t s = 0; s < pool.event.size(); ++s) {
    const auto* cpu = std::get_if<CpuStage>(&pool.event[s]);
    if (cpu != nullptr && !cpu->part_of) {
      result.event_time_s += slowness * mean(cpu->time).value;
      continue;
    }
    result.as_a_service_s += event.stages[s].total_s();
    if (cpu != nullptr) continue;
    const auto& alternative = std::get<InferStage>(pool.event[s]).cpu_alternative;
    if (!alternative) return {};
    result.offloaded_s += slowness * alternative->value;
  }
  result.event_time_s += result.offloaded_s;
  return result;
}

std::optional<SaturationFormula> formula_in_scope(const Scenario& scenario) {
  const PublishedFormula published = published_formula(scenario);
  return published.why_not.empty() ? std::optional(published.formula) : std::nullopt;
}

Scenario with_streams(Scenario scenario, double clients) {
  const double present = stream_count(scenario);
  if (!(present > 0.0) || !(clients > 0.0)) throw std::invalid_argument("with_streams: no streams to scale");
  for (JobPool& pool : scenario.jobs) {
    const double jobs = std::round(static_cast<double>(pool.count) * (clients / present));
    pool.count = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(jobs));
  }
  return scenario;
}

bool all_open(const Scenario& scenario) {
  return std::all_of(scenario.jobs.begin(), scenario.jobs.end(),
                     [](const JobPool& pool) { return pool.arrivals.has_value(); });
}

bool any_open(const Scenario& scenario) {
  return std::any_of(scenario.jobs.begin(), scenario.jobs.end(),
                     [](const JobPool& pool) { return pool.arrivals.has_value(); });
}

std::uint64_t device_count(const Scenario& scenario) {
  std::uint64_t devices = 0;
  for (const Server& server : scenario.servers) devices += devices_of(server);
  return devices;
}

double job_count(const Scenario& scenario) {
  double jobs = 0.0;
  for (const JobPool& pool : scenario.jobs) jobs += static_cast<double>(pool.count);
  return jobs;
}

double stream_count(const Scenario& scenario) {
  double clients = 0.0;
  for (const JobPool& pool : scenario.jobs) {
    clients += static_cast<double>(stream_count(pool));
  }
  return clients;
}

}  // namespace saturn
