#include "sim/formula/system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

System::System(Scenario from)
    : scenario(std::move(from)), network(closed_network(scenario)), bounds(asymptotic_bounds(network)) {}

double System::knee_streams() const {
  return bounds.knees.empty() ? std::numeric_limits<double>::infinity() : bounds.knees.front().clients;
}

namespace {

/// Event times in which the fullest queue forgets 50 times what waits: a window that sees less has too small a p99.
double cycles_of_queues(const System& system) {
  constexpr double relaxations = 50.0;  // as in windows of open pools
  if (system.bounds.knees.empty() || has_constant_times(system.scenario)) return 0.0;
  const Knee& knee = system.bounds.knees.front();
  const double load = std::min(1.0, system.bounds.clients / knee.clients);
  // Each of several servers may have a queue of its own.
  const double each_of = knee.clients / system.network.resources[knee.resource].units;
  return relaxations / (each_of * std::pow(1.0 - std::sqrt(load), 2));
}

}  // namespace

std::uint64_t least_cycles(const System& system) {
  constexpr double fewest = 6.0;  // beside which the events that reach over the edges are few
  constexpr double usual_spread = 0.5;
  constexpr double standard_errors = 3.0;
  constexpr double least_events = 5000.0;          // for quantiles
  constexpr double least_events_of_pool = 1200.0;  // for an interval of its own
  const Scenario& scenario = system.scenario;
  if (scenario.run.cycles) return *scenario.run.cycles;
  // Loops of an open pool may be idle most of the time.
  if (any_open(scenario)) return usual_cycles;
  const double by_precision = std::pow(standard_errors * usual_spread / scenario.run.precision, 2);
  double cycles = std::max(least_events, by_precision) / stream_count(scenario);
  for (const JobPool& pool : scenario.jobs)
    cycles = std::max(cycles, least_events_of_pool / static_cast<double>(stream_count(pool)));
  cycles = std::max({fewest, cycles, cycles_of_queues(system)});
  return cycles < static_cast<double>(usual_cycles) ? static_cast<std::uint64_t>(std::ceil(cycles)) : usual_cycles;
}

}  // namespace saturn
