#include "sim/plan/formula_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/jobs_and_devices.hpp"
#include "sim/plan/slowdown_crossing.hpp"

namespace saturn {

void say_what_binds(const System& system, PlanAnswer& answer) {
  const auto& [scenario, network, bounds] = system;
  answer.binding = network.resources[bounds.knees.front().resource].name;
  if (bounds.knees.size() > 1) {
    answer.next = network.resources[bounds.knees[1].resource].name;
    answer.next_at_streams = bounds.knees[1].clients;
  }
}

std::optional<Scenario> one_device_of(const Scenario& scenario) {
  Scenario one = DeviceFleet(scenario).with_steps(1);
  if (device_count(one) != 1 || device_count(scenario) == 1) return std::nullopt;
  return one;
}

void say_devices_by_formula(const Scenario& asked, std::uint64_t devices, Method decides, PlanAnswer& answer) {
  const DeviceFleet fleet(asked);
  const System planned(fleet.with_steps(devices / device_count(fleet.with_steps(1))));
  const ReferencePoint point = reference_point(planned, decides);
  if (!point.event_time_s || !point.events_per_s) return;
  answer.formula_event_time_s = point.event_time_s;
  answer.formula_events_per_s = point.events_per_s;
  const Expenses expenses = compute_expenses(planned, {});
  answer.cost_per_million_events_usd = expenses.usd_per_million(*point.events_per_s);
  answer.priced = priced_parts(expenses);
  answer.cpu_only_cost_per_million_events_usd = cpu_only_usd_per_million(planned.scenario);
  answer.module = module_price(planned, {}, *point.events_per_s, *point.event_time_s);
}

std::vector<std::pair<double, double>> bound_curve_of(const System& system, double saturates_at) {
  constexpr std::size_t samples = 96;
  constexpr double shown_past_saturation = 2.0;
  const ClosedNetwork& network = system.network;
  const auto devices = static_cast<double>(device_count(system.scenario));
  const double knee = saturates_at * devices;
  std::vector<std::pair<double, double>> curve;
  if (!std::isfinite(knee) || !(knee > 0.0) || (network.classes.size() == 1 && network.free_calls.empty()))
    return curve;
  const double most_clients = shown_past_saturation * knee;
  for (std::size_t i = 0; i <= samples; ++i) {
    const double clients = most_clients * static_cast<double>(std::max<std::size_t>(i, 1)) / samples;
    const double seconds = asymptotic_bounds(with_clients(network, clients)).event_time_s;
    curve.emplace_back(i == 0 ? 0.0 : clients / devices, seconds);
  }
  return curve;
}

double unrounded_streams_per_gpu(const PlanAnswer& answer, const PlanQuestion& question) {
  return question.past_saturation ? answer.within_slowdown : std::min(answer.within_slowdown, answer.saturates_at);
}

std::optional<PlanAnswer> jobs_per_device_by_formula(const System& system, const PlanQuestion& question) {
  const FormulaStreams within = streams_within(system, question.slowdown, question.methods);
  if (!within.streams) return std::nullopt;
  const auto gpus = static_cast<double>(device_count(system.scenario));
  PlanAnswer answer;
  answer.within_slowdown = *within.streams / gpus;
  answer.saturates_at = system.knee_streams() / gpus;
  const double clients = unrounded_streams_per_gpu(answer, question);
  answer.streams_per_gpu = static_cast<std::uint64_t>(std::floor(clients));
  answer.streams_per_gpu_low = within.by == Method::bounds ? 0.0 : clients;
  answer.streams_per_gpu_high = clients;
  return answer;
}

namespace {

/// Clients per device by formulas, of another system or within another tolerance.
std::optional<double> clients_by_formula(const System& system, PlanQuestion question, double slowdown) {
  question.slowdown = slowdown;
  const std::optional<PlanAnswer> answer = jobs_per_device_by_formula(system, question);
  return answer ? std::optional(unrounded_streams_per_gpu(*answer, question)) : std::nullopt;
}

/// The fewest devices by each method that is asked for, and what they cost by the one that decides.
void say_gpus_by_formula(const Scenario& scenario, const PlanQuestion& question, Method decides, PlanAnswer& answer) {
  const double wanted = question.clients ? static_cast<double>(*question.clients) : stream_count(scenario);
  const Scenario asked = with_streams(scenario, wanted);
  answer.clients = static_cast<std::uint64_t>(std::llround(stream_count(asked)));
  try {
    if (question.methods.has(Method::bounds)) answer.gpus_by_bound = gpus_by_bound(asked, question);
    if (decides == Method::mva) answer.gpus_by_mva = gpus_by_mva(asked, question);
    say_devices_by_formula(asked, answer.gpus_by_mva ? *answer.gpus_by_mva : *answer.gpus_by_bound, decides, answer);
  } catch (const std::domain_error& none) {
    answer.why_no_gpus = none.what();
  }
}

}  // namespace

Plan formula_plan(const System& system, const PlanQuestion& question) {
  const Scenario& scenario = system.scenario;
  if (system.bounds.knees.empty()) refuse_nothing_shared(scenario);
  std::optional<PlanAnswer> jobs = jobs_per_device_by_formula(system, question);
  if (!jobs) throw std::domain_error("mean value analysis " + mva_crossing(system, question.slowdown).why_not);
  Plan plan{.rows = instant_rows(system, question.slowdown, question.methods),
            .candidates = {},
            .answer = std::move(*jobs),
            .bound_curve = bound_curve_of(system, system.knee_streams() / static_cast<double>(device_count(scenario))),
            .formula = formula_in_scope(scenario),
            .confirmed = false};
  PlanAnswer& answer = plan.answer;
  answer.confidence = scenario.run.confidence;
  answer.prices = quoted_prices(scenario);
  if (question.how_many_gpus) {
    const Method decides = streams_within(system, question.slowdown, question.methods).by;
    say_gpus_by_formula(scenario, question, decides, answer);
  }
  if (question.also_within)
    answer.also_within_streams_per_gpu = clients_by_formula(system, question, *question.also_within);
  if (question.also_alone)
    if (const std::optional<Scenario> one = one_device_of(scenario))
      answer.alone_streams_per_gpu = clients_by_formula(*one, question, question.slowdown);
  say_what_binds(system, answer);
  return plan;
}

}  // namespace saturn
