#include <algorithm>
#include <cmath>

#include "models/laws/arrival_law.hpp"
#include "models/queueing/closed_formulas.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/formula/system_facts.hpp"
#include "sim/plan/search/figures_by_bound.hpp"
#include "sim/study/report/report_parts.hpp"

namespace saturn {

namespace {

constexpr double close_share = 0.01;

/// One pool, one server, calls that block: the parts of an event are the panel's sliders, and events may arrive.
bool is_one_pool(const Scenario& scenario) {
  return scenario.jobs.size() == 1 && scenario.servers.size() == 1 &&
         std::ranges::none_of(model_calls(scenario.jobs.front()),
                              [](const InferStage* call) { return call->asynchronous; });
}

std::string why_no_planner(const Scenario& scenario) {
  if (any_open(scenario) && !all_open(scenario))
    return "Events arrive from outside at some pools, while the jobs of others begin their events themselves; the "
           "panel's formulas are those of one pool.";
  if (!is_one_pool(scenario)) return why_no_network(scenario);
  if (scenario.platform)
    return "The network comes from a platform file, in which no one link is the way to the server.";
  const JobPool& pool = scenario.jobs.front();
  if (shares_cores(pool)) return "Streams share the cores of their jobs, which the panel's formulas leave out.";
  if (pool.events_per_job) return "Jobs set up anew, which the panel's formulas leave out.";
  for (const InferStage* call : model_calls(pool))
    if (call->in_flight > 1)
      return "Requests overlap with other work (\"" + call->label +
             "\"), so that the parts of an event do not simply add up.";
  return "";
}

/// Bytes of an event, to the server and back.
struct EventBytes {
  double forth = 0.0;
  double back = 0.0;
};

EventBytes event_bytes_of(const Scenario& scenario) {
  EventBytes bytes;
  for (const Stage& stage : scenario.jobs.front().event) {
    const auto* infer = std::get_if<InferStage>(&stage);
    if (infer == nullptr) continue;
    const auto model = scenario.models.find(infer->model);
    if (model == scenario.models.end()) continue;
    bytes.forth += infer->items.mean() * model->second.input.value;
    bytes.back += infer->items.mean() * model->second.output.value;
  }
  return bytes;
}

void add_parts(PlannerModel& model, const PoolFacts& pool, const Scenario& scenario) {
  double travel_s = 0.0;
  double bandwidth_s = 0.0;
  for (const EventPart& part : pool.parts) {
    switch (part.part) {
      case StagePart::cpu:
      case StagePart::serialisation:
        model.cpu_s += part.seconds;
        break;
      case StagePart::bandwidth:
        bandwidth_s += part.seconds;
        break;
      case StagePart::travel:
        travel_s += part.seconds;
        break;
      case StagePart::device:
        model.device_s += part.seconds;
        break;
    }
  }
  const std::optional<double> round_trip = round_trip_of(scenario);
  if (round_trip && *round_trip > 0.0) {
    model.round_trip_s = *round_trip;
    model.round_trips = travel_s / *round_trip;
  } else {
    model.other_s += travel_s;
  }
  const EventBytes bytes = event_bytes_of(scenario);
  if (bandwidth_s > 0.0 && bytes.forth + bytes.back > 0.0) {
    model.transferred_bytes = bytes.forth + bytes.back;
    model.bandwidth_bytes_per_s = model.transferred_bytes / bandwidth_s;
  }
}

DemandFollows follows_of(const Resource& resource, double demand_s, const PlannerModel& model,
                         const EventBytes& bytes) {
  if (is_device(resource.kind) || resource.kind == ResourceKind::instances) return DemandFollows::device;
  const bool on_the_way = resource.kind == ResourceKind::link || resource.kind == ResourceKind::uplink;
  if (!on_the_way || !(model.bandwidth_bytes_per_s > 0.0)) return DemandFollows::nothing;
  // A link that one flow fills alone is as fast as the flow; a wider one stays what it is.
  const auto fills = [&](double one_way) {
    return std::abs(demand_s * model.bandwidth_bytes_per_s - one_way) <= close_share * one_way;
  };
  return fills(bytes.forth) || fills(bytes.back) ? DemandFollows::bandwidth : DemandFollows::nothing;
}

void add_resources(PlannerModel& model, const System& system) {
  const EventBytes bytes = event_bytes_of(system.scenario);
  for (const Knee& knee : system.bounds.knees) {
    const Resource& resource = system.network.resources[knee.resource];
    model.resources.push_back({.name = resource.name,
                               .demand_s = knee.demand_s,
                               .follows = follows_of(resource, knee.demand_s, model, bytes)});
  }
}

/// What a network's sliders do not move of what is paid.
void add_network_prices(PlannerModel& model, const System& system) {
  const Expenses expenses = compute_expenses(system, {});
  if (expenses.cores_usd_per_h && model.clients > 0.0)
    model.core_usd_per_hour = *expenses.cores_usd_per_h / model.clients;
  model.other_usd_per_hour = expenses.nodes_usd_per_h.value_or(0.0) + expenses.electricity_usd_per_h.value_or(0.0);
  for (const PlannerServer& server : model.network->servers)
    model.other_usd_per_hour -= server.count * server.node_usd_per_hour;
}

void add_prices(PlannerModel& model, const System& system) {
  const Expenses expenses = compute_expenses(system, {});
  if (expenses.devices_usd_per_h && model.devices > 0.0)
    model.device_usd_per_hour = *expenses.devices_usd_per_h / model.devices;
  if (expenses.cores_usd_per_h && model.clients > 0.0)
    model.core_usd_per_hour = *expenses.cores_usd_per_h / model.clients;
  model.other_usd_per_hour = expenses.nodes_usd_per_h.value_or(0.0) + expenses.electricity_usd_per_h.value_or(0.0);
  model.traffic_usd_per_million_events = 1e6 * expenses.traffic_usd_per_event;
}

void add_points(PlannerModel& model, const SaturationStudy& saturation) {
  for (const SimulatedLoad& load : saturation.simulated) {
    const Estimate& time = load.summary.all_jobs["event_time_s"];
    model.simulated.push_back(
        {.clients = load.clients, .event_time_s = time.mean, .low_s = time.low, .high_s = time.high});
  }
}

void add_losses(PlannerModel& model, const OpenPlan& arrivals) {
  for (const OpenCandidate& row : arrivals.candidates) {
    const Estimate& lost = row.lost_fraction;
    if (!std::isfinite(lost.mean)) continue;
    // A single replication has no interval.
    model.losses.push_back({.devices = static_cast<double>(row.gpus),
                            .lost_fraction = lost.mean,
                            .low = std::isfinite(lost.low) ? std::max(0.0, lost.low) : lost.mean,
                            .high = std::isfinite(lost.high) ? lost.high : lost.mean});
  }
}

}  // namespace

PlannerModel planner_model(const System& system, double tolerated_slowdown) {
  const Scenario& scenario = system.scenario;
  PlannerModel model{.why_not = why_no_planner(scenario)};
  if (!model.why_not.empty()) return model;
  const SystemFacts facts = gather_facts(system);
  model.device_word = facts.device_word;
  model.stream_word = stream_word_of(facts);
  model.clients = facts.clients;
  model.devices = facts.devices;
  model.tolerated_slowdown = tolerated_slowdown;
  if (is_one_pool(scenario)) {
    add_parts(model, facts.pools.front(), scenario);
    add_resources(model, system);
    add_prices(model, system);
  } else {
    model.network = planner_network(system);
    add_network_prices(model, system);
  }
  if (all_open(scenario)) model.arrivals_per_s = mean_rate(*scenario.jobs.front().arrivals).value;
  return model;
}

PlannerModel planner_study(const StudyContext& context, const SaturationStudy* saturation, const OpenPlan* arrivals) {
  PlannerModel model = planner_model(System(context.scenario()), context.question.slowdown);
  if (!model.why_not.empty()) return model;
  if (model.arrivals_per_s) {
    if (arrivals != nullptr) add_losses(model, *arrivals);
  } else if (saturation != nullptr) {
    add_points(model, *saturation);
  }
  return model;
}

}  // namespace saturn
