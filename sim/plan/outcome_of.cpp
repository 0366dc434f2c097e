#include "sim/plan/outcome_of.hpp"

#include <algorithm>

#include "models/bounds.hpp"
#include "models/units.hpp"
#include "scenarios/demands.hpp"
#include "sim/plan/purchase_terms.hpp"
#include "sim/plan/simulated_points.hpp"

namespace saturn {

namespace {

Estimate scaled(Estimate estimate, double factor) {
  estimate.mean *= factor;
  estimate.low *= factor;
  estimate.high *= factor;
  return estimate;
}

/// Adds means and half-widths: too wide rather than too narrow where the two are independent.
void add(Estimate& sum, const Estimate& other) {
  sum.mean += other.mean;
  sum.low += other.low;
  sum.high += other.high;
  sum.confidence = other.confidence;
  sum.replications = other.replications;
}

Estimate none_of(const Estimate& like) {
  return {.mean = 0.0, .low = 0.0, .high = 0.0, .confidence = like.confidence, .replications = like.replications};
}

/// Cores that an event occupies beyond what its CPU stages need, where event loops share the job's cores: what the
/// cores were not needed for [s].
Estimate idle_core_s(const JobPool& pool, const JobsResults& jobs) {
  double speeds = 0.0;
  for (const SpeedClass& one : speed_classes(pool.speed, pool.count))
    speeds += static_cast<double>(one.jobs) * one.speed;
  double cpu_s = 0.0;
  for (const Stage& stage : pool.event)
    if (const auto* cpu = std::get_if<CpuStage>(&stage)) cpu_s += mean(cpu->time).value;
  cpu_s *= static_cast<double>(pool.count) / speeds;
  const auto cores = static_cast<double>(pool.count * pool.threads);
  Estimate idle = jobs["events_per_s"];
  idle.mean = std::max(0.0, cores / jobs["events_per_s"].mean - cpu_s);
  idle.low = std::max(0.0, cores / jobs["events_per_s"].high - cpu_s);
  idle.high = std::max(0.0, cores / jobs["events_per_s"].low - cpu_s);
  return idle;
}

Estimate waiting_core_s(const Scenario& scenario, const Results& summary) {
  Estimate waiting = none_of(summary.all_jobs["events_per_s"]);
  double events_per_s = 0.0;
  for (const JobsResults& jobs : summary.jobs) events_per_s += jobs["events_per_s"].mean;
  for (std::size_t j = 0; j < summary.jobs.size(); ++j) {
    const JobsResults& jobs = summary.jobs[j];
    const std::vector<Stage>& event = scenario.jobs[j].event;
    if (shares_cores(scenario.jobs[j])) {
      add(waiting, scaled(idle_core_s(scenario.jobs[j], jobs), jobs["events_per_s"].mean / events_per_s));
      continue;
    }
    // Where events arrive from outside, the wait in the buffer is a stage before theirs; it holds no core.
    const std::size_t before = jobs.stages.size() - event.size();
    for (std::size_t k = 0; k < event.size(); ++k) {
      if (!std::holds_alternative<InferStage>(event[k])) continue;
      add(waiting, scaled(jobs.stages[before + k]["time_s"], jobs["events_per_s"].mean / events_per_s));
    }
  }
  return waiting;
}

std::optional<Estimate> device_use(const Results& summary) {
  std::optional<Estimate> use;
  double units = 0.0;
  for (const ResourceResults& resource : summary.resources) {
    if (!is_device(resource.kind)) continue;
    if (!use) use = none_of(resource["busy_fraction"]);
    add(*use, scaled(resource["busy_fraction"], resource["units"].mean));
    units += resource["units"].mean;
  }
  if (use) use = scaled(*use, 1.0 / units);
  return use;
}

/// Of an event, in the mix in which events ended [USD].
double mixed_traffic(const Scenario& scenario, const Results& summary) {
  if (summary.jobs.size() != scenario.jobs.size()) return expenses_of(scenario, {}).traffic_usd_per_event;
  double usd_per_s = 0.0;
  double events_per_s = 0.0;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const double rate = summary.jobs[j]["events_per_s"].mean;
    usd_per_s += rate * traffic_usd_per_event(scenario, scenario.jobs[j]);
    events_per_s += rate;
  }
  return usd_per_s / events_per_s;
}

void set_costs(AlternativeOutcome& outcome, const Scenario& scenario, const Results& summary) {
  const double events_per_s = summary.all_jobs["events_per_s"].mean;
  const Expenses expenses = expenses_of(scenario, {});
  outcome.priced = priced_parts(expenses);
  if (const auto rent = expenses.rent_usd_per_h()) {
    outcome.cost_usd_per_million_events =
        (*rent / events_per_s / seconds_per_hour + mixed_traffic(scenario, summary)) * million;
  }
  const ModulePrice module = module_price(scenario, {}, events_per_s, summary.all_jobs["event_time_s"].mean);
  outcome.module_usd_per_million_events = module.as_a_service_usd_per_million;
}

void set_binding(AlternativeOutcome& outcome, const Scenario& scenario) {
  const ClosedNetwork network = closed_network(scenario);
  const Bounds bounds = asymptotic_bounds(network);
  if (bounds.knees.empty()) return;
  const Knee& first = bounds.knees.front();
  outcome.first_to_saturate = network.resources[first.resource].name;
  outcome.saturates_at_jobs = first.clients * job_count(scenario) / bounds.clients;
  outcome.saturated = bounds.clients >= first.clients;
}

}  // namespace

AlternativeOutcome outcome_of(const Scenario& scenario, const Results& summary) {
  AlternativeOutcome outcome;
  const JobsResults& all = summary.all_jobs;
  outcome.event_time_s = all["event_time_s"];
  outcome.events_per_s = all["events_per_s"];
  outcome.waiting_core_s = waiting_core_s(scenario, summary);
  outcome.waiting_share = scaled(outcome.waiting_core_s, 1.0 / all["event_time_s"].mean);
  outcome.devices = static_cast<double>(device_count(scenario));
  outcome.device_use = device_use(summary);
  const double hours_per_million = million / all["events_per_s"].mean / seconds_per_hour;
  outcome.device_hours_per_million_events = outcome.devices * hours_per_million;
  set_costs(outcome, scenario, summary);
  outcome.rejected_share = rejected_share(summary);
  set_binding(outcome, scenario);
  return outcome;
}

}  // namespace saturn
