#include <algorithm>
#include <cmath>
#include <utility>

#include "models/bounds.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands.hpp"
#include "sim/plan/falsify.hpp"
#include "sim/plan/simulated_points.hpp"

namespace saturn {

namespace {

constexpr double least_margin = 0.1;
constexpr double most_margin = 0.5;
constexpr double most_simulated_clients = 2e6;
// Half of the measurement's own error, so that it adds little to it in quadrature.
constexpr double simulated_precision = 0.005;
constexpr std::uint64_t most_replications_a_test = 8;

double half_width_of(double mean, double low, double high) {
  const double width = (high - low) / 2 / mean;
  return std::isfinite(width) ? width : 0.0;
}

/// The fewest whole jobs that have so many event loops.
Scenario with_at_least(const Scenario& scenario, double clients) {
  Scenario more = with_clients(scenario, clients);
  // Rounded to whole jobs, pools may come out short of it.
  for (double asked = clients; client_count(more) < clients;) {
    asked += std::max(1.0, clients - client_count(more));
    more = with_clients(scenario, asked);
  }
  return more;
}

Scenario as_measured(Scenario scenario) {
  constexpr double finest_slowdown = 0.01;
  Scenario simulated = as_simulated(std::move(scenario), finest_slowdown, Care::confirmed);
  RunControl& run = simulated.run;
  run.precision = simulated_precision;
  run.max_replications = std::max(run.min_replications, std::min(run.max_replications, most_replications_a_test));
  return simulated;
}

/// Bound of the event time when the first resource asks `factor` of what it does.
double event_time_with(const Bounds& bounds, double factor) {
  double longest = std::max(bounds.ideal_event_time_s, bounds.own_event_time_s);
  for (std::size_t k = 0; k < bounds.knees.size(); ++k) {
    const double demand_s = bounds.knees[k].demand_s * (k == 0 ? factor : 1.0);
    longest = std::max(longest, bounds.clients * demand_s - bounds.set_up_s);
  }
  return longest;
}

}  // namespace

double relative_half_width(const Plan& plan) {
  const PlanAnswer& answer = plan.answer;
  double width = 0.0;
  if (answer.clients_per_gpu > 0)
    width = half_width_of(static_cast<double>(answer.clients_per_gpu), answer.clients_per_gpu_low,
                          answer.clients_per_gpu_high);
  // The answer's interval ends at saturation; that of the crossing does not.
  for (const PlanRow& row : plan.rows)
    if (row.clients_per_gpu && row.low && row.high && *row.clients_per_gpu > 0.0)
      width = std::max(width, half_width_of(*row.clients_per_gpu, *row.low, *row.high));
  return width;
}

double falsifying_margin(double half_width) {
  return std::clamp(2 * half_width, least_margin, most_margin);
}

std::string name_of(PredictedNumber number) {
  switch (number) {
    case PredictedNumber::event_time:
      return "event_time_s";
    case PredictedNumber::events_per_s:
      return "events_per_s";
    case PredictedNumber::items_per_s:
      return "items_per_s";
    case PredictedNumber::latency:
      return "latency_s";
    case PredictedNumber::queue:
      return "queue_s";
    case PredictedNumber::compute:
      break;
  }
  return "compute_s";
}

Prediction prediction_of(PredictedNumber quantity, const Estimate& predicted, double other_errors) {
  Prediction prediction{.quantity = quantity, .predicted = predicted};
  if (!std::isfinite(predicted.mean) || !std::isfinite(predicted.low) || !std::isfinite(predicted.high))
    return prediction;
  const double below = predicted.mean - std::hypot(predicted.mean - predicted.low, other_errors);
  if (below > 0.0) prediction.contradicts_below = below;
  prediction.contradicts_above = predicted.mean + std::hypot(predicted.high - predicted.mean, other_errors);
  return prediction;
}

ChosenJobs choose_jobs(const Scenario& scenario, double margin) {
  const Bounds bounds = asymptotic_bounds(closed_network(scenario));
  if (bounds.knees.empty())
    return {.why_not =
                "no number of jobs contradicts the plan: no device, link or network card does any work for an event, "
                "so that nothing saturates and events take as long with many jobs as with one"};
  const double clients = bounds.knees.front().clients / (1.0 - margin);
  if (!(clients <= most_simulated_clients))
    return {.why_not =
                "no number of jobs that can be simulated contradicts the plan: the first resource saturates at " +
                counted_in_words(std::round(bounds.knees.front().clients), "client") +
                ", and below that its demand shows "
                "nowhere; at most 2000000 are simulated. Measure the models alone"};
  ChosenJobs found;
  found.chosen.scenario = as_measured(with_at_least(scenario, clients));
  JobsTest& test = found.chosen.test;
  for (std::size_t p = 0; p < scenario.jobs.size(); ++p) {
    const JobPool& pool = found.chosen.scenario.jobs[p];
    test.pools.push_back({.pool = pool.name, .jobs = pool.count});
    test.jobs += pool.count;
    if (pool.count != scenario.jobs[p].count)
      found.chosen.settings.push_back({"/jobs/" + std::to_string(p) + "/count", std::to_string(pool.count)});
  }
  test.clients = client_count(found.chosen.scenario);
  test.saturates_at = bounds.knees.front().clients;
  return found;
}

std::string why_not_falsified(const Scenario& scenario) {
  const ChosenJobs jobs = choose_jobs(scenario, least_margin);
  return jobs.why_not.empty() ? "without a plan there is no prediction that a measurement could contradict"
                              : jobs.why_not;
}

JobsTest predicted(const ChosenTest<JobsTest>& chosen, const Results& summary, double margin,
                   double fitted_half_width) {
  JobsTest test = chosen.test;
  const ClosedNetwork network = closed_network(chosen.scenario);
  const Bounds bounds = asymptotic_bounds(network);
  test.binding = network.resources[bounds.knees.front().resource].name;
  if (bounds.knees.size() > 1) test.next = network.resources[bounds.knees[1].resource].name;
  const Estimate& event_time = summary.all_jobs["event_time_s"];
  // Waiting that the bound does not know of grows and shrinks with the rest.
  const double scale = event_time.mean / event_time_with(bounds, 1.0);
  test.unhindered_s = event_time_with(bounds, 0.0);
  test.faster_s = std::max(test.unhindered_s, scale * event_time_with(bounds, 1.0 - margin));
  test.slower_s = scale * event_time_with(bounds, 1.0 + margin);
  test.rejected_share = rejected_share(summary);
  const Estimate& rate = summary.all_jobs["events_per_s"];
  const double error = std::hypot(measurement_error, fitted_half_width);
  test.event_time = prediction_of(PredictedNumber::event_time, event_time, error * event_time.mean);
  test.events_per_s = prediction_of(PredictedNumber::events_per_s, rate, error * rate.mean);
  return test;
}

}  // namespace saturn
