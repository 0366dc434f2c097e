#include "sim/formula/system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "scenarios/demands/demands.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/short_windows.hpp"

namespace saturn {

System::System(Scenario from)
    : scenario(std::move(from)), network(closed_network(scenario)), bounds(asymptotic_bounds(network)) {}

double System::knee_streams() const {
  return bounds.knees.empty() ? std::numeric_limits<double>::infinity() : bounds.knees.front().clients;
}

namespace {

/// Queues before a resource: those of a server's nodes, of which a node's devices share one or have one each; of others
/// perhaps one before each unit. Nodes of which always the least busy is taken are busy together, as one queue is.
double queues_before(const System& system, std::size_t resource) {
  const std::vector<Server>& servers = system.scenario.servers;
  if (resource >= servers.size()) return system.network.resources[resource].units;
  const Server& server = servers[resource];  // devices are the first resources, in the order of the servers
  if (server.balancing == Balancing::central_queue) return 1.0;
  const bool together = server.dispatch == Dispatch::least_outstanding && server.balancing == Balancing::per_request;
  const bool apart = server.devices.dispatch == DeviceDispatch::per_device_queue;
  return static_cast<double>((together ? 1 : server.nodes) * (apart ? units_of(server.devices) : 1));
}

/// Event times in which the fullest queue forgets 50 times what waits: a window that sees less has too small a p99.
double cycles_of_queues(const System& system) {
  constexpr double relaxations = 50.0;  // as in windows of open pools
  if (system.bounds.knees.empty() || has_constant_times(system.scenario)) return 0.0;
  const Knee& knee = system.bounds.knees.front();
  const double load = std::min(1.0, system.bounds.clients / knee.clients);
  const double each_of = knee.clients / queues_before(system, knee.resource);
  return relaxations / (each_of * std::pow(1.0 - std::sqrt(load), 2));
}

constexpr double shortest_window = 6.0;  // beside which the events that reach over the edges are few

/// Whole event times in which all streams together run so many events, and each pool enough for an interval of its own.
/// @param at_least  event times
std::uint64_t cycles_with(const Scenario& scenario, double events, double at_least) {
  constexpr double least_events_of_pool = 1200.0;
  double cycles = std::max(at_least, events / stream_count(scenario));
  for (const JobPool& pool : scenario.jobs)
    cycles = std::max(cycles, least_events_of_pool / static_cast<double>(stream_count(pool)));
  return cycles < static_cast<double>(usual_cycles) ? static_cast<std::uint64_t>(std::ceil(cycles)) : usual_cycles;
}

/// Events that tell their mean time as precisely as that.
double events_for(double precision) {
  constexpr double usual_spread = 0.5;
  constexpr double standard_errors = 3.0;
  return std::pow(standard_errors * usual_spread / precision, 2);
}

}  // namespace

std::uint64_t least_cycles(const System& system) {
  constexpr double least_events = 5000.0;  // for quantiles
  const Scenario& scenario = system.scenario;
  if (scenario.run.cycles) return *scenario.run.cycles;
  // Loops of an open pool may be idle most of the time.
  if (any_open(scenario)) return usual_cycles;
  return cycles_with(scenario, std::max(least_events, events_for(scenario.run.precision)),
                     std::max(shortest_window, cycles_of_queues(system)));
}

std::uint64_t cycles_for_means(const System& system) {
  constexpr double coarse = 0.01;  // what is wanted more precisely takes more replications
  const Scenario& scenario = system.scenario;
  if (scenario.run.cycles || any_open(scenario) || has_constant_times(scenario)) return least_cycles(system);
  return cycles_with(scenario, events_for(std::max(coarse, scenario.run.precision)), shortest_window);
}

double runs_for_precision(const System& system) {
  const Scenario& scenario = system.scenario;
  return events_for(scenario.run.precision) / (stream_count(scenario) * static_cast<double>(least_cycles(system)));
}

RunControl control_for_means(const System& system) {
  constexpr double many_requests = 1e6;
  const Scenario& scenario = system.scenario;
  RunControl run = scenario.run;
  run.cycles = cycles_for_means(system);
  double requests = 0.0;
  for (const JobPool& pool : scenario.jobs)
    for (const Stage& stage : pool.event)
      if (const auto* infer = std::get_if<InferStage>(&stage))
        requests += mean_requests(*infer) * static_cast<double>(stream_count(pool) * *run.cycles);
  run.brief = run.brief || (has_constant_times(scenario) && requests >= many_requests);
  return run;
}

}  // namespace saturn
