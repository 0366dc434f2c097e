#include "sim/engine/open_run_length.hpp"

#include <algorithm>
#include <cmath>

#include "models/open_capacity.hpp"
#include "scenarios/demands.hpp"
#include "scenarios/stage_requests.hpp"

namespace saturn {

namespace {

constexpr std::uint32_t window_slices = 400;
constexpr std::uint32_t reading_slices = 8;
constexpr double least_warm_up_cycles = 2.0;
// A queue forgets in about τ = 1/(C·(1 − √load)²); source: Abate & Whitt, Queueing Systems 2 (1987) 41, for M/M/1.
constexpr double window_relaxations = 50.0;
constexpr double warm_up_relaxations = 3.0;
constexpr double filling_margin = 1.2;
constexpr double most_load = 0.99;  // τ has no bound above it
constexpr double most_simulated_requests = 5e6;

/// Requests, or events where those send none, that arrivals cause [1/s].
double requests_per_s(const Scenario& scenario) {
  double rate = 0.0;
  for (const JobPool& pool : scenario.jobs) {
    if (!pool.arrivals) continue;
    double requests = 0.0;
    for (const Stage& stage : pool.event)
      if (const auto* infer = std::get_if<InferStage>(&stage)) requests += mean_requests(*infer);
    rate += mean_rate(*pool.arrivals).value * std::max(1.0, requests);
  }
  return rate;
}

struct Wanted {
  double window_s = 0.0;
  double warm_up_s = 0.0;
  double period_s = 0.0;  // longest after which arrivals begin again
  bool settles = true;
};

Wanted wanted_by_pools(const Scenario& scenario, double least_events) {
  const ClosedNetwork network = closed_network(scenario);
  Wanted wanted;
  for (std::size_t p = 0; p < scenario.jobs.size(); ++p) {
    const auto& arrivals = scenario.jobs[p].arrivals;
    if (!arrivals) continue;
    const OpenCapacity capacity = open_capacity(network, p);
    wanted.window_s = std::max(wanted.window_s, least_events / capacity.offered_per_s);
    wanted.period_s = std::max(wanted.period_s, repetition(*arrivals).value);
    const bool overloaded = !(capacity.load() <= 1.0);
    if (varies(*arrivals) || overloaded) wanted.settles = false;
    if (overloaded) {
      // Losses are steady once everything is full, which a little more than the excess takes.
      if (!scenario.jobs[p].buffer) continue;
      const double places = static_cast<double>(*scenario.jobs[p].buffer) + network.classes[p].clients;
      const double full_s = filling_margin * places / (capacity.offered_per_s - capacity.capacity_per_s);
      wanted.warm_up_s = std::max(wanted.warm_up_s, full_s);
      wanted.window_s = std::max(wanted.window_s, full_s);
      continue;
    }
    const double load = std::min(capacity.load(), most_load);
    const double burstiness = std::max(1.0, (1.0 + dispersion(*arrivals)) / 2.0);
    const double relaxation_s = burstiness / (capacity.capacity_per_s * std::pow(1.0 - std::sqrt(load), 2));
    wanted.window_s = std::max(wanted.window_s, window_relaxations * relaxation_s);
    wanted.warm_up_s = std::max(wanted.warm_up_s, warm_up_relaxations * relaxation_s);
  }
  return wanted;
}

std::uint32_t whole_readings(double slices) {
  return static_cast<std::uint32_t>(std::ceil(std::max(1.0, slices / reading_slices))) * reading_slices;
}

}  // namespace

RunLength open_run_length(const Scenario& scenario, double cycle_s, double least_events) {
  const Wanted wanted = wanted_by_pools(scenario, least_events);
  const double affordable_s = most_simulated_requests / requests_per_s(scenario);
  const double longer = static_cast<double>(scenario.run.cycles) / static_cast<double>(RunControl{}.cycles);
  double window_s = std::min(longer * wanted.window_s, std::max(1.0, longer) * affordable_s);
  window_s = std::max({window_s, static_cast<double>(scenario.run.cycles) * cycle_s, scenario.run.window.value});
  if (wanted.period_s > 0.0) {
    const double periods = std::ceil(window_s / wanted.period_s);
    if (periods == 1.0 ? wanted.period_s <= affordable_s : periods * wanted.period_s <= 2.0 * window_s)
      window_s = periods * wanted.period_s;
  }
  const double warm_up_s = std::max(least_warm_up_cycles * cycle_s, std::min(wanted.warm_up_s, window_s));
  const double slice_s = window_s / window_slices;
  const std::uint32_t warm_up = whole_readings(warm_up_s / slice_s);
  return {.slice = Seconds{slice_s},
          .slices = warm_up + window_slices,
          .aligned_slices = reading_slices,
          .least_warm_up = warm_up,
          .settles = wanted.settles};
}

}  // namespace saturn
