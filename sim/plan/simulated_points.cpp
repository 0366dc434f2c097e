#include "sim/plan/simulated_points.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/numbers.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

constexpr std::uint64_t least_replications = 3;
constexpr double least_served = 1e-6;  // keeps the search among finite numbers

std::pair<std::uint64_t, std::uint64_t> key_of(const Scenario& scenario) {
  return {device_count(scenario), static_cast<std::uint64_t>(std::llround(stream_count(scenario)))};
}

std::string verdict(const Estimate& slowdown, double tolerated) {
  const double excess = slowdown.mean - 1;
  if (excess > tolerated) {
    return percent(excess) + " slower than t_ideal, " + percent(excess - tolerated) + " more than tolerated";
  }
  std::string text = "within " + percent(tolerated);
  if (slowdown.high - 1 > tolerated) text += ", though its interval reaches " + percent(slowdown.high - 1);
  return text;
}

SimulatedPoint point(const Scenario& scenario, Results summary, Care care, double tolerated) {
  const auto [devices, clients] = key_of(scenario);
  const double rejected = rejected_share(summary);
  const Estimate slowdown = served_slowdown(summary);
  PlanCandidate candidate{.clients = clients,
                          .gpus = devices,
                          .bound_event_time_s = asymptotic_bounds(closed_network(scenario)).event_time_s,
                          .event_time_s = summary.all_jobs["event_time_s"],
                          .slowdown = slowdown,
                          .accepted = slowdown.mean - 1 <= tolerated,
                          .reason = verdict(slowdown, tolerated) +
                                    (rejected > 0.0 ? "; " + percent(rejected) + " of the requests are rejected" : "")};
  return {.scenario = scenario, .care = care, .candidate = std::move(candidate), .summary = std::move(summary)};
}

}  // namespace

double rejected_share(const Results& summary) {
  double share = 0.0;
  for (const ModelResults& model : summary.models) {
    const double rejected = model["rejected_per_s"].mean;
    if (rejected > 0.0) share = std::max(share, rejected / (rejected + model["requests_per_s"].mean));
  }
  return share;
}

Estimate served_slowdown(const Results& summary) {
  const double served = std::max(1.0 - rejected_share(summary), least_served);
  Estimate slowdown = summary.all_jobs["slowdown"];
  slowdown.mean /= served;
  slowdown.low /= served;
  slowdown.high /= served;
  return slowdown;
}

Scenario as_simulated(Scenario scenario, double slowdown, Care care) {
  RunControl& run = scenario.run;
  run.precision = slowdown / 5;
  const bool once = care == Care::scout || is_deterministic(scenario);
  run.min_replications = once ? 1 : least_replications;
  run.max_replications = once ? 1 : std::max(run.min_replications, run.max_replications);
  return scenario;
}

void SimulatedPoints::tolerate(double slowdown) {
  tolerated_ = slowdown;
  for (auto& [key, known] : points_) known = point(known.scenario, std::move(known.summary), known.care, slowdown);
}

void SimulatedPoints::simulate(const std::vector<Scenario>& scenarios, Care care) {
  std::vector<Scenario> asked;
  std::vector<Scenario> unknown;  // the same as they are simulated
  std::set<std::pair<std::uint64_t, std::uint64_t>> chosen;
  for (const Scenario& scenario : scenarios) {
    const SimulatedPoint* known = find(scenario);
    if (known && (known->care == Care::confirmed || care == Care::scout)) continue;
    if (!chosen.insert(key_of(scenario)).second) continue;
    asked.push_back(scenario);
    unknown.push_back(as_simulated(scenario, slowdown_, care));
  }
  if (unknown.empty()) return;
  std::vector<Results> summaries = evaluate_(unknown);
  if (summaries.size() != unknown.size()) throw std::logic_error("a plan got fewer simulations than it asked for");
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    // Where nothing is drawn, one replication tells everything.
    const Care reached = is_deterministic(unknown[i]) ? Care::confirmed : care;
    points_.insert_or_assign(key_of(asked[i]), point(asked[i], std::move(summaries[i]), reached, tolerated_));
  }
}

const SimulatedPoint* SimulatedPoints::find(const Scenario& scenario) const {
  const auto found = points_.find(key_of(scenario));
  return found == points_.end() ? nullptr : &found->second;
}

std::map<std::uint64_t, const SimulatedPoint*> SimulatedPoints::with_devices(std::uint64_t devices) const {
  std::map<std::uint64_t, const SimulatedPoint*> by_clients;
  for (const auto& [key, value] : points_) {
    if (key.first == devices) by_clients.emplace(key.second, &value);
  }
  return by_clients;
}

std::vector<PlanCandidate> SimulatedPoints::candidates() const {
  std::vector<PlanCandidate> all;
  for (const auto& [key, value] : points_) all.push_back(value.candidate);
  return all;
}

}  // namespace saturn
