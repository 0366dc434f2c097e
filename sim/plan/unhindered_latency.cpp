#include "sim/plan/unhindered_latency.hpp"

#include <algorithm>
#include <limits>

#include "scenarios/routes.hpp"
#include "scenarios/stage_demand.hpp"
#include "scenarios/stage_requests.hpp"

namespace saturn {

namespace {

// Sizes beyond these are not looked at one by one: without them the execution counts nothing in the least latency.
constexpr std::size_t most_sizes = 2;

bool executes_in_constant_time(const Scenario& scenario, const RoutedResources& routed, const std::string& site,
                               const InferStage& stage) {
  for (const std::size_t s : servers_of(scenario, stage.model)) {
    const std::optional<HostStage>& host = scenario.servers[s].host;
    if (host && host->scatter > 0.0) return false;
  }
  const std::vector<RequestService> services = request_services(scenario, routed, site, stage);
  return std::all_of(services.begin(), services.end(), [](const RequestService& one) { return one.constant; });
}

/// Latency of a request of one size of the stage, with its execution or without it [s].
double latency_of(const Scenario& scenario, const RoutedResources& routed, const std::string& site, InferStage stage,
                  std::uint64_t items, bool with_execution) {
  stage.items = items;
  stage.request_batch = items;
  const StageDemand alone = stage_demand(scenario, routed, site, stage);
  return (alone.travel + alone.bandwidth + (with_execution ? alone.device : Seconds{})).value;
}

double least_latency_s(const Scenario& scenario, const RoutedResources& routed, const std::string& site,
                       const InferStage& stage) {
  const std::vector<RequestGroup> groups = request_groups(stage);
  const bool with_execution = groups.size() <= most_sizes && executes_in_constant_time(scenario, routed, site, stage);
  // Transfers take longest for the largest requests, which come first; of executions that need not be so.
  double least = latency_of(scenario, routed, site, stage, groups.back().items, with_execution);
  if (with_execution) least = std::min(least, latency_of(scenario, routed, site, stage, groups.front().items, true));
  return least;
}

/// Latencies of a pool's requests for one model, as sums over an event.
struct PoolRequests {
  double seconds = 0.0;
  double requests = 0.0;
};

}  // namespace

std::map<std::string, UnhinderedLatency> unhindered_latencies(const Scenario& scenario) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  const RoutedResources routed = routed_resources(scenario);
  std::map<std::string, UnhinderedLatency> latencies;
  for (const JobPool& pool : scenario.jobs) {
    std::map<std::string, PoolRequests> sums;
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr || infer->items.largest() == 0) continue;
      const StageDemand demand = stage_demand(scenario, routed, pool.site, *infer);
      PoolRequests& sum = sums[infer->model];
      sum.seconds += (demand.travel + demand.bandwidth + demand.device).value;
      sum.requests += mean_requests(*infer);
      UnhinderedLatency& latency =
          latencies.try_emplace(infer->model, UnhinderedLatency{unknown, unknown}).first->second;
      latency.least_s = std::min(latency.least_s, least_latency_s(scenario, routed, pool.site, *infer));
    }
    for (const auto& [model, sum] : sums) {
      UnhinderedLatency& latency = latencies.at(model);
      latency.mean_s = std::min(latency.mean_s, sum.seconds / sum.requests);
    }
  }
  return latencies;
}

}  // namespace saturn
