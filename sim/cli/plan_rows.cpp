#include "sim/cli/plan_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/bounds.hpp"
#include "reports/price_list.hpp"
#include "scenarios/demands.hpp"
#include "sim/plan/quoted_prices.hpp"

namespace saturn {

namespace {

/// Whether every event time that the answer rests on is as precise as the scenario asks. What was simulated once only
/// showed where to look, unless once tells everything.
bool is_precise(const std::vector<PlanCandidate>& candidates, double precision) {
  const bool repeated = std::any_of(candidates.begin(), candidates.end(),
                                    [](const PlanCandidate& one) { return one.event_time_s.replications > 1; });
  return std::all_of(candidates.begin(), candidates.end(), [&](const PlanCandidate& one) {
    return (repeated && one.event_time_s.replications == 1) ||
           one.event_time_s.half_width() <= precision * one.event_time_s.mean;
  });
}

}  // namespace

std::vector<MethodRow> method_rows(const std::vector<PlanRow>& rows) {
  std::vector<MethodRow> result;
  result.reserve(rows.size());
  for (const PlanRow& row : rows) {
    result.push_back({.method = row.method,
                      .knee = row.knee,
                      .clients_per_gpu = row.clients_per_gpu,
                      .low = row.low,
                      .high = row.high,
                      .remark = row.remark});
  }
  return result;
}

namespace {

/// Several pools, or unlike servers of which the fastest may answer, bend the bound at more places than one.
std::vector<std::pair<double, double>> bound_curve_of(const Scenario& scenario, double most_clients) {
  constexpr std::size_t samples = 96;
  const ClosedNetwork network = closed_network(scenario);
  std::vector<std::pair<double, double>> curve;
  if (network.classes.size() == 1 && network.free_calls.empty()) return curve;
  const auto devices = static_cast<double>(device_count(scenario));
  for (std::size_t i = 0; i <= samples; ++i) {
    const double clients = most_clients * static_cast<double>(std::max<std::size_t>(i, 1)) / samples;
    const double seconds = asymptotic_bounds(with_clients(network, clients)).event_time_s;
    curve.emplace_back(i == 0 ? 0.0 : clients / devices, seconds);
  }
  return curve;
}

}  // namespace

PlanReport plan_report(const Plan& plan, const PlanQuestion& question, const Scenario& scenario,
                       const SystemFacts& facts) {
  PlanReport report;
  report.facts = facts;
  report.tolerated_slowdown = question.slowdown;
  report.methods = method_rows(plan.rows);
  for (const PlanCandidate& candidate : plan.candidates) {
    report.candidates.push_back({.jobs = candidate.clients,
                                 .gpus = candidate.gpus,
                                 .bound_event_time_s = candidate.bound_event_time_s,
                                 .event_time_s = candidate.event_time_s,
                                 .slowdown = candidate.slowdown,
                                 .accepted = candidate.accepted,
                                 .reason = candidate.reason});
  }
  report.clients_per_gpu = plan.answer.clients_per_gpu;
  report.clients_per_gpu_low = plan.answer.clients_per_gpu_low;
  report.clients_per_gpu_high = plan.answer.clients_per_gpu_high;
  report.confidence = scenario.run.confidence;
  report.jobs = plan.answer.clients;
  report.past_saturation = question.past_saturation;
  report.within_slowdown = plan.answer.within_slowdown;
  report.saturates_at = plan.answer.saturates_at;
  report.fewest_slowdown = plan.answer.fewest_slowdown;
  report.fewest_waits = plan.answer.fewest_waits;
  report.also_tolerated_slowdown = question.also_within;
  report.also_within_clients_per_gpu = plan.answer.also_within_clients_per_gpu;
  report.alone_clients_per_gpu = plan.answer.alone_clients_per_gpu;
  report.waits = plan.answer.waits;
  report.unsaturated_gpus = plan.answer.unsaturated_gpus;
  report.unsaturated_slowdown = plan.answer.unsaturated_slowdown;
  report.gpus = plan.answer.gpus;
  report.why_no_gpus = plan.answer.why_no_gpus;
  report.gpus_by_bound = plan.answer.gpus_by_bound;
  report.slowdown = plan.answer.slowdown;
  report.cost_per_million_events_usd = plan.answer.cost_per_million_events_usd;
  report.priced = priced_words(plan.answer.priced, facts.device_word);
  report.cpu_only_cost_per_million_events_usd = plan.answer.cpu_only_cost_per_million_events_usd;
  report.module_cpu_only_usd_per_million_events = plan.answer.module.cpu_only_usd_per_million;
  report.module_service_usd_per_million_events = plan.answer.module.as_a_service_usd_per_million;
  report.module_cpu_only_s = plan.answer.module.cpu_only_s;
  report.module_service_s = plan.answer.module.as_a_service_s;
  report.prices = quoted_prices(scenario);
  constexpr double shown_past_saturation = 2.0;
  const double knee = plan.answer.saturates_at * static_cast<double>(device_count(scenario));
  if (std::isfinite(knee) && knee > 0.0) report.bound_curve = bound_curve_of(scenario, shown_past_saturation * knee);
  report.binding = plan.answer.binding;
  report.budget_spent = plan.budget_spent;
  report.confirmed = plan.confirmed;
  report.precision_reached = !plan.budget_spent && is_precise(plan.candidates, scenario.run.precision);
  report.next = plan.answer.next;
  report.next_at_jobs = plan.answer.next_at_clients;

  const PublishedFormula published = published_formula(scenario);
  if (published.why_not.empty()) {
    report.formula_clients_per_gpu = published.formula.clients_per_gpu();
    report.formula_event_time_s = published.formula.event_time_s();
  }
  return report;
}

}  // namespace saturn
