#include "sim/cli/point_answers.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>

#include "models/csv_text.hpp"
#include "reports/plan_report.hpp"
#include "reports/point_answer.hpp"
#include "scenarios/complaint.hpp"
#include "sim/plan/purchase_terms.hpp"
#include "sim/plan/system_facts.hpp"
#include "sim/run/replicate.hpp"
#include "sim/sweep/run_sweep.hpp"

namespace saturn {

namespace {

/// Broken laws make no result, here as everywhere.
void fail_broken_laws(const Results& summary) {
  for (const Check& check : summary.checks)
    if (!check.passed) throw PointFailed(name_of(FailureKind::broken_law), check.name + ": " + check.detail);
}

Replicated replicated(const Scenario& scenario, const RunLimits& limits) {
  auto result = replicate(std::span(&scenario, 1), {.processes = 1, .limits = limits}).at(0);
  if (const auto* failure = std::get_if<RunFailure>(&result))
    throw PointFailed(name_of(failure->kind), failure->message);
  auto done = std::get<Replicated>(std::move(result));
  fail_broken_laws(done.summary);
  return done;
}

/// What has no bound, such as the clients that saturate nothing, is no number that a file could hold.
void add_exact(PointAnswer& answer, const std::string& stem, const std::string& unit, double value) {
  if (std::isfinite(value)) answer.metrics.push_back({.stem = stem, .unit = unit, .mean = value});
}

void add_interval(PointAnswer& answer, const std::string& stem, double mean, double low, double high) {
  SweepMetric metric{.stem = stem, .mean = mean};
  if (std::isfinite(low) && std::isfinite(high)) {
    metric.low = low;
    metric.high = high;
  }
  answer.metrics.push_back(std::move(metric));
}

/// Of everything with a price, for the events that are processed.
void add_cost(PointAnswer& answer, const Scenario& scenario, const Estimate& events_per_s) {
  const Expenses expenses = expenses_of(scenario, {});
  const std::optional<double> rent = expenses.rent_usd_per_h();
  if (!rent || !(events_per_s.low > 0.0)) return;
  add_exact(answer, "rent", "usd_per_h", *rent);
  answer.metrics.push_back({.stem = "cost_per_million_events",
                            .unit = "usd",
                            .mean = *expenses.usd_per_million(events_per_s.mean),
                            .low = expenses.usd_per_million(events_per_s.high),
                            .high = expenses.usd_per_million(events_per_s.low)});
}

void add_word(PointAnswer& answer, const std::string& name, const std::string& word) {
  if (!word.empty()) answer.words.push_back({.name = name, .word = word});
}

PointAnswer plan_answer(const Plan& plan, const PlanQuestion& question, const Scenario& scenario) {
  const PlanAnswer& found = plan.answer;
  PointAnswer answer{.precision_reached = plan.precision_reached};
  add_exact(answer, "clients_per_gpu", "", static_cast<double>(found.clients_per_gpu));
  add_interval(answer, "unrounded_clients_per_gpu", unrounded_clients_per_gpu(found, question),
               found.clients_per_gpu_low, found.clients_per_gpu_high);
  add_exact(answer, "saturates_at_clients_per_gpu", "", found.saturates_at);
  add_exact(answer, "within_slowdown_clients_per_gpu", "", found.within_slowdown);
  add_word(answer, "binding", found.binding);
  add_word(answer, "next", found.next);
  if (!found.next.empty()) add_exact(answer, "next_at_jobs", "", jobs_of(facts_of(scenario), found.next_at_clients));
  for (const PlanCandidate& one : plan.candidates)
    answer.replications = std::max(answer.replications, one.event_time_s.replications);
  return answer;
}

}  // namespace

std::string text_of(const PointAsked& asked) {
  return asked.plan ? "plan slowdown=" + csv_number(asked.question.slowdown) : "run";
}

PointAnswer PointAnswers::simulated(const Scenario& scenario) const {
  const Replicated done = replicated(scenario, limits_);
  PointAnswer answer = point_answer(done.summary, facts_of(scenario));
  add_cost(answer, scenario, done.summary.all_jobs["events_per_s"]);
  answer.precision_reached = done.precision_reached;
  return answer;
}

PointAnswer PointAnswers::planned(const Scenario& scenario) const {
  const auto evaluate = [&](std::span<const Scenario> scenarios) {
    std::vector<Results> summaries;
    summaries.reserve(scenarios.size());
    for (const Scenario& one : scenarios) summaries.push_back(replicated(one, limits_).summary);
    return summaries;
  };
  try {
    return plan_answer(make_plan(scenario, asked_.question, evaluate), asked_.question, scenario);
  } catch (const std::domain_error& none) {
    throw PointFailed("no plan", none.what());
  }
}

PointAnswer PointAnswers::operator()(std::uint64_t point) const {
  try {
    const Scenario scenario = read_.again(space_.settings(point));
    return asked_.plan ? planned(scenario) : simulated(scenario);
  } catch (const InputError& refused) {
    throw PointFailed("refused", refused.complaints().front().text);
  }
}

}  // namespace saturn
