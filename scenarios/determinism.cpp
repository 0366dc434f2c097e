#include "scenarios/determinism.hpp"

#include <algorithm>

#include "scenarios/routes.hpp"

namespace saturn {

bool has_constant_times(const Scenario& scenario) {
  for (const JobPool& pool : scenario.jobs) {
    // Jobs of different speed have no common period.
    if (!is_constant(pool.speed)) return false;
    if (pool.arrivals && !std::holds_alternative<ConstantArrivals>(*pool.arrivals)) return false;
    for (const Stage& stage : pool.event) {
      const auto* cpu = std::get_if<CpuStage>(&stage);
      if (cpu != nullptr && !is_constant(cpu->time)) return false;
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer != nullptr && (infer->item_lengths.size() > 1 || !infer->items.is_constant())) return false;
    }
  }
  for (const auto& [name, model] : scenario.models) {
    for (const auto& [type, law] : model.service) {
      if (!is_constant(law)) return false;
    }
  }
  for (const Server& server : scenario.servers)
    if (server.host && server.host->scatter > 0.0) return false;
  return true;
}

namespace {

/// A trace is not even, but the same in every replication.
bool nothing_drawn_but_traces(Scenario scenario) {
  for (JobPool& pool : scenario.jobs)
    if (pool.arrivals && !is_drawn(*pool.arrivals)) pool.arrivals.reset();
  return has_constant_times(scenario);
}

/// Requests of a model go to nodes by lot, or ties are broken by lot.
bool chosen_by_lot(const Scenario& scenario) {
  for (const Server& server : scenario.servers) {
    if (server.dispatch == Dispatch::random || server.dispatch == Dispatch::power_of_two) return true;
    if (server.dispatch == Dispatch::round_robin || server.balancing == Balancing::central_queue) continue;
    for (const std::string& model : server.models) {
      std::uint64_t nodes = 0;
      for (const std::size_t s : servers_of(scenario, model)) nodes += scenario.servers[s].nodes;
      if (nodes > 1) return true;
    }
  }
  return false;
}

}  // namespace

bool is_deterministic(const Scenario& scenario) {
  const bool staggered = std::all_of(scenario.jobs.begin(), scenario.jobs.end(),
                                     [](const JobPool& pool) { return pool.start == JobStart::staggered; });
  return staggered && !chosen_by_lot(scenario) && nothing_drawn_but_traces(scenario);
}

}  // namespace saturn
