#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "scenarios/demands/demands.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

namespace {

constexpr double negligible_wait = 1e-3;  // of the event time

/// Unhindered seconds of the stages that call models, over all pools.
struct Unhindered {
  double network_s = 0.0;
  double device_s = 0.0;
};

/// @param weights  (pools) share of the events
Unhindered unhindered(const Scenario& scenario, const std::vector<double>& weights) {
  Unhindered sum;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j)
    for (const EventPart& part : ideal_event_parts(scenario, scenario.jobs[j])) {
      if (part.part == StagePart::bandwidth || part.part == StagePart::travel)
        sum.network_s += weights[j] * part.seconds;
      if (part.part == StagePart::device) sum.device_s += weights[j] * part.seconds;
    }
  return sum;
}

bool calls_together(const Scenario& scenario) {
  for (const JobPool& pool : scenario.jobs)
    for (const Stage& stage : pool.event)
      if (const auto* infer = std::get_if<InferStage>(&stage))
        if (infer->in_flight > 1 || infer->asynchronous) return true;
  return false;
}

}  // namespace

std::vector<WaitingPart> waiting_parts(const Scenario& scenario, const Results& summary) {
  const double events_per_s = summary.all_jobs["events_per_s"].mean;
  if (!(events_per_s > 0.0) || summary.jobs.size() != scenario.jobs.size()) return {};
  std::vector<double> weights;
  for (const JobsResults& jobs : summary.jobs) weights.push_back(jobs["events_per_s"].mean / events_per_s);
  const Unhindered ideal = unhindered(scenario, weights);
  const std::set<std::string> called = called_models(scenario);

  std::vector<WaitingPart> parts;
  double network_s = -ideal.network_s;
  double execute_s = -ideal.device_s;
  for (const ModelResults& model : summary.models) {
    const double requests = model["requests_per_s"].mean / events_per_s;
    if (!(requests > 0.0)) continue;
    const auto add = [&](const std::string& what, const Estimate& each) {
      parts.push_back({.what = what, .per_event_s = requests * each.mean});
    };
    add("the batcher of " + model.name + " holds requests back for others", model["fill_s"]);
    add("requests of " + model.name + " come while every instance is busy", model["instance_wait_s"]);
    add("instances of " + model.name + " wait for the device that others use", model["device_wait_s"]);
    execute_s += requests * (model["execute_s"].mean + model["host_s"].mean);
    if (called.contains(model.name)) network_s += requests * (model["send_s"].mean + model["receive_s"].mean);
  }
  // Where calls go on beside each other t_ideal counts only the longest of them.
  if (!calls_together(scenario)) {
    parts.push_back({.what = "batches with others take longer than a request alone, or devices slow each other down",
                     .per_event_s = execute_s});
    parts.push_back({.what = "transfers share links and network cards", .per_event_s = network_s});
  }
  std::erase_if(parts, [&](const WaitingPart& part) {
    return !(part.per_event_s > negligible_wait * summary.all_jobs["event_time_s"].mean);
  });
  std::stable_sort(parts.begin(), parts.end(),
                   [](const WaitingPart& a, const WaitingPart& b) { return a.per_event_s > b.per_event_s; });
  return parts;
}

}  // namespace saturn
