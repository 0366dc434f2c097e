#include <algorithm>
#include <limits>

#include "scenarios/alike_servers.hpp"
#include "scenarios/demands.hpp"
#include "scenarios/determinism.hpp"
#include "sim/plan/bounded_pools.hpp"
#include "sim/plan/exact_figures.hpp"
#include "sim/plan/purchase_terms.hpp"
#include "sim/plan/unhindered_latency.hpp"

namespace saturn {

namespace {

bool may_refuse(const Model& model) {
  const QueuePolicy& policy = model.queue_policy;
  return policy.max_queue_size || (policy.timeout && policy.timeout_action == TimeoutAction::reject);
}

/// False where the demands take shares of requests that hold on average only; and where requests may be refused, since
/// their events end early.
bool bounds_hold(const Scenario& scenario) {
  for (const auto& [name, model] : scenario.models)
    if (may_refuse(model) || !why_average_shares(scenario, name).empty()) return false;
  return true;
}

bool all_on_alike_servers(const Scenario& scenario) {
  return std::all_of(scenario.models.begin(), scenario.models.end(),
                     [&](const auto& model) { return on_alike_servers(scenario, model.first); });
}

void add(CandidateFigures& figures, MeasureId figure, double value, const std::string& of = "") {
  figures.entries.push_back({.figure = figure, .of = of, .value = exactly(value)});
}

/// Where nothing is drawn but when events arrive, every event takes at least t_ideal.
void add_event_quantiles(Scenario scenario, const BoundedPools& bounded, CandidateFigures& figures) {
  for (JobPool& pool : scenario.jobs) pool.arrivals.reset();
  if (!has_constant_times(scenario)) return;
  double longest = 0.0;
  for (const PoolBound& pool : bounded.pools()) longest = std::max(longest, pool.least_s);
  for (const MeasureId figure : {measure("event_time_p50"), measure("event_time_p95"), measure("event_time_p99")})
    add(figures, figure, longest);
}

void add_latencies(const Scenario& scenario, double within_chance, CandidateFigures& figures) {
  const std::map<std::string, UnhinderedLatency> latencies = unhindered_latencies(scenario);
  UnhinderedLatency worst;
  const auto add_one = [&](const UnhinderedLatency& latency, const std::string& of) {
    add(figures, measure("latency"), std::max(latency.mean_s * within_chance, latency.least_s), of);
    for (const MeasureId figure : {measure("latency_p50"), measure("latency_p95"), measure("latency_p99")})
      add(figures, figure, latency.least_s, of);
  };
  for (const auto& [model, latency] : latencies) {
    worst.mean_s = std::max(worst.mean_s, latency.mean_s);
    worst.least_s = std::max(worst.least_s, latency.least_s);
    add_one(latency, model);
  }
  if (!latencies.empty()) add_one(worst, "");
}

double least_traffic(const Scenario& scenario) {
  double least = std::numeric_limits<double>::infinity();
  for (const JobPool& pool : scenario.jobs) least = std::min(least, least_traffic_usd_per_event(scenario, pool));
  return least;
}

}  // namespace

CandidateFigures figures_by_bound(const Scenario& scenario, const PurchaseTerms& terms) {
  const Expenses expenses = expenses_of(scenario, terms);
  CandidateFigures figures;
  add_exact_figures(scenario, expenses, figures);
  if (!bounds_hold(scenario)) return figures;
  const BoundedPools bounded(scenario);
  const double within_chance = std::max(0.0, 1.0 - bounded.allowance());
  const double most_events_per_s = bounded.most_events_per_s() * (1.0 + bounded.allowance());
  add(figures, measure("slowdown"), bounded.least_slowdown() * within_chance - 1.0);
  add(figures, measure("event_time"), bounded.least_event_time_s() * within_chance);
  add_event_quantiles(scenario, bounded, figures);
  // Of unlike servers a balancer may prefer the one that answers soonest.
  if (all_on_alike_servers(scenario)) add_latencies(scenario, within_chance, figures);
  add(figures, measure("throughput"), most_events_per_s);
  add(figures, measure("lost_share"), std::max(0.0, bounded.least_lost_share() - bounded.allowance()));
  add_figures_of_throughput(exactly(most_events_per_s), least_traffic(scenario), expenses, terms, figures);
  return figures;
}

}  // namespace saturn
