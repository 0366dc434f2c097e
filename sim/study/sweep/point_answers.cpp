#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>

#include "models/results/measures.hpp"
#include "models/values/text.hpp"
#include "models/words/numbers.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/sweep/sweep_json.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/formula/formulas.hpp"
#include "sim/formula/system_facts.hpp"
#include "sim/plan/formula_plan.hpp"
#include "sim/run/replications.hpp"
#include "sim/study/request.hpp"
#include "sim/study/sweep/sweep_study.hpp"
#include "sim/sweep/run_sweep.hpp"

namespace saturn {

namespace {

/// Broken laws make no result, here as everywhere.
void fail_broken_laws(const Results& summary) {
  for (const Check& check : summary.checks)
    if (!check.passed) throw PointFailed(name_of(FailureKind::broken_law), check.name + ": " + check.detail);
}

/// @param quantiles  are looked at
Replicated replicated(const Scenario& scenario, const RunLimits& limits, bool quantiles) {
  const RunOptions options{.processes = 1, .limits = limits, .quantiles = quantiles};
  auto result = replicate(std::span(&scenario, 1), options).at(0);
  if (const auto* failure = std::get_if<RunFailure>(&result))
    throw PointFailed(name_of(failure->kind), failure->message);
  auto done = std::get<Replicated>(std::move(result));
  fail_broken_laws(done.summary);
  return done;
}

/// What has no bound, such as the clients that saturate nothing, is no number that a file could hold.
void add_exact(PointAnswer& answer, std::string_view stem, std::string_view unit, double value) {
  if (std::isfinite(value))
    answer.metrics.push_back({.stem = std::string(stem), .unit = std::string(unit), .mean = value});
}

void add_of_jobs(PointAnswer& answer, Key<Subject::jobs> key, double value) {
  const MeasureId measure = key.id();
  const std::string_view ending = text_of(measure->unit).ending;
  add_exact(answer, measure->name, ending.empty() ? ending : ending.substr(1), value);
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
/// @param terms  with the nodes that were paid for, where they come and go
void add_cost(PointAnswer& answer, const System& system, const Estimate& events_per_s, const PurchaseTerms& terms) {
  const Expenses expenses = compute_expenses(system, terms);
  const std::optional<double> rent = compute_expenses(system, {}).rent_usd_per_h();
  if (!rent || !(events_per_s.low > 0.0)) return;
  add_exact(answer, "rent", "usd_per_h", *rent);
  SweepMetric cost{
      .stem = "cost_per_million_events", .unit = "usd", .mean = *expenses.usd_per_million(events_per_s.mean)};
  if (events_per_s.replications > 0) {
    cost.low = expenses.usd_per_million(events_per_s.high);
    cost.high = expenses.usd_per_million(events_per_s.low);
  }
  answer.metrics.push_back(std::move(cost));
}

void add_word(PointAnswer& answer, std::string_view name, const std::string& word) {
  if (!word.empty()) answer.words.push_back({.name = std::string(name), .word = word});
}

void add_jobs_per_device(PointAnswer& answer, const PlanAnswer& found, const PlanQuestion& question) {
  add_exact(answer, answer_keys::streams_per_gpu, "", static_cast<double>(found.streams_per_gpu));
  const double unrounded = unrounded_streams_per_gpu(found, question);
  // A bound says nothing of how few there may be.
  if (found.streams_per_gpu_low == 0.0)
    add_exact(answer, "unrounded_streams_per_gpu", "", unrounded);
  else
    add_interval(answer, "unrounded_streams_per_gpu", unrounded, found.streams_per_gpu_low, found.streams_per_gpu_high);
  add_exact(answer, answer_keys::saturates_at, "", found.saturates_at);
  add_exact(answer, answer_keys::within_slowdown, "", found.within_slowdown);
}

PointAnswer plan_answer(const Plan& plan, const PlanQuestion& question, const Scenario& scenario) {
  const PlanAnswer& found = plan.answer;
  PointAnswer answer{.precision_reached = plan.precision_reached};
  add_jobs_per_device(answer, found, question);
  add_word(answer, answer_keys::binding, found.binding);
  add_word(answer, answer_keys::next, found.next);
  if (!found.next.empty())
    add_exact(answer, "next_at_jobs", "", jobs_of(gather_facts(scenario), found.next_at_streams));
  for (const PlanCandidate& one : plan.candidates)
    answer.replications = std::max(answer.replications, one.event_time_s.replications);
  return answer;
}

}  // namespace

std::string text_of(const PointAsked& asked) {
  std::string text = asked.plan ? "plan" : "run";
  if (asked.needs_slowdown()) text += " slowdown=" + csv_number(asked.question.slowdown);
  if (asked.methods != Methods{Method::simulation}) text += std::string(method_mark) + asked.methods.text();
  return text;
}

PointAnswer PointAnswers::simulate_scenario(const Scenario& scenario) const {
  const Replicated done = replicated(scenario, limits_, true);
  PointAnswer answer = point_answer(done.summary, gather_facts(scenario));
  add_cost(answer, scenario, done.summary.all_jobs["events_per_s"], as_paid({}, scenario, done.summary));
  answer.precision_reached = done.precision_reached;
  return answer;
}

PointAnswer PointAnswers::plan_scenario(Method method, const Scenario& scenario) const {
  const auto evaluate = [&](std::span<const Scenario> scenarios) {
    std::vector<Results> summaries;
    summaries.reserve(scenarios.size());
    for (const Scenario& one : scenarios) summaries.push_back(replicated(one, limits_, false).summary);
    return summaries;
  };
  PlanQuestion question = asked_.question;
  question.methods = {method};
  try {
    return plan_answer(make_plan(scenario, question, evaluate), question, scenario);
  } catch (const std::domain_error& none) {
    throw PointFailed("no plan", none.what());
  }
}

PointAnswer PointAnswers::apply_formula(Method method, const Scenario& scenario) const {
  const System system(scenario);
  const ReferencePoint point = reference_point(system, method);
  if (!point.event_time_s || !point.events_per_s)
    throw PointFailed("no formula", point.remark + (method == Method::mva ? "; --method bounds answers it" : ""));
  PointAnswer answer;
  add_of_jobs(answer, "events_per_s", *point.events_per_s);
  add_of_jobs(answer, "event_time_s", *point.event_time_s);
  add_of_jobs(answer, "slowdown", *point.event_time_s / system.bounds.ideal_event_time_s);
  const std::vector<Knee>& knees = system.bounds.knees;
  if (!knees.empty()) add_word(answer, answer_keys::binding, system.network.resources[knees[0].resource].name);
  if (knees.size() > 1) add_word(answer, answer_keys::next, system.network.resources[knees[1].resource].name);
  add_cost(answer, system, exactly(*point.events_per_s), {});
  if (knees.empty() || any_open(scenario)) return answer;
  PlanQuestion question = asked_.question;
  question.methods = {method};
  if (const std::optional<PlanAnswer> jobs = jobs_per_device_by_formula(system, question))
    add_jobs_per_device(answer, *jobs, question);
  return answer;
}

PointAnswer PointAnswers::answer_by(Method method, const Scenario& scenario) const {
  if (asked_.plan) return plan_scenario(method, scenario);
  return method == Method::simulation ? simulate_scenario(scenario) : apply_formula(method, scenario);
}

PointAnswer PointAnswers::operator()(std::uint64_t point) const {
  try {
    const Scenario scenario = read_.again(space_.settings(point));
    PointAnswer answer = answer_by(asked_.finest(), scenario);
    for (const Method method : asked_.methods.all()) {
      if (method == asked_.finest()) continue;
      try {
        for (SweepMetric& metric : answer_by(method, scenario).metrics) {
          metric.stem = std::string(name_of(method)) + "." + metric.stem;
          answer.metrics.push_back(std::move(metric));
        }
      } catch (const PointFailed&) {
        // What the finest says stands without it.
      }
    }
    return answer;
  } catch (const InputError& refused) {
    throw PointFailed(refused_kind, refused.complaints().front().text);
  }
}

namespace {

constexpr std::uint64_t most_shards = 1'000'000;

}  // namespace

std::string Shard::name() const {
  return fmt::format("shard-{:04}-of-{:04}", number, of);
}

std::uint64_t SweepRequest::memory_of_a_point() const {
  return parse_memory("--point-memory", point_memory.value_or("8 GB"));
}

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto number = read_count(std::string_view(text).substr(0, slash));
    const auto of = read_count(std::string_view(text).substr(slash + 1));
    if (number && of && *number >= 1 && *number <= *of && *of <= most_shards) return {.number = *number, .of = *of};
  }
  refuse_input("--shard " + text, "option.bad_shard",
               "\"" + text +
                   "\" names no shard; it takes I/N with whole numbers 1 <= I <= N <= 1000000: --shard 1/8 to "
                   "--shard 8/8 are the eight parts of a sweep.");
}

PointAsked point_asked(const SweepRequest& options, const Scenario& scenario) {
  PointAsked asked{.plan = options.answer == "plan", .question = {}, .methods = options.methods};
  if (asked.finest() == Method::mva) refuse_without_mva(scenario);
  // A map of clients per GPU needs no search for a number of GPUs at each of its points.
  asked.question.how_many_gpus = false;
  if (options.slowdown && !asked.needs_slowdown())
    refuse_input("--slowdown", "option.needs_plan",
                 "A tolerated slowdown belongs to plans: add --answer plan, or leave --slowdown out.");
  if (asked.plan && any_open(scenario))
    refuse_input("--answer plan", "sweep.no_single_answer",
                 "Events arrive from outside at a pool of this scenario: there is no number of jobs to plan "
                 "for. Sweep /servers/0/devices/count with --answer run, or take the arrivals away with "
                 "--set /jobs/0/arrivals=null (and /jobs/0/buffer=null).");
  asked.question.slowdown = parse_slowdown(options.slowdown);
  return asked;
}

std::vector<std::string> sweep_words(const SweepRequest& options) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& option, const std::string& value) {
    words.push_back(option);
    words.push_back(value);
  };
  for (const std::string& change : options.scenario.set) add("--set", change);
  if (options.scenario.seed) add("--seed", std::to_string(*options.scenario.seed));
  for (const std::string& axis : options.sweep.axes) add("--axis", axis);
  for (const std::string& condition : options.sweep.where) add("--where", condition);
  if (options.sweep.sample) add("--sample", std::to_string(*options.sweep.sample));
  if (options.sweep.sampling == Sampling::random) add("--sampling", "random");
  if (options.answer != "run") add("--answer", options.answer);
  if (options.methods != Methods{Method::simulation}) add("--method", options.methods.text());
  if (options.slowdown) add("--slowdown", *options.slowdown);
  if (options.skip_refused) words.emplace_back("--skip-refused");
  return words;
}

namespace {

/// A value with any unit that scenarios know, in its base unit.
std::optional<double> any_quantity(const std::string& text) {
  for (const Unit& unit : units()) {
    const ReadQuantity read = read_quantity(text, unit.dimension);
    if (read.reading == QuantityReading::good) return read.value;
  }
  return std::nullopt;
}

}  // namespace

SweepViewOptions view_options(const TypedCommand& typed) {
  SweepViewOptions view;
  typed.take("--metric", view.metric);
  typed.take("--x", view.x);
  typed.take("--y", view.y);
  typed.take("--at", view.at);
  return view;
}

SweepView view_of(const SweepViewOptions& options, Complaints& complaints) {
  SweepView view{.metric = options.metric, .x = options.x, .y = options.y, .quantity = any_quantity};
  for (const std::string& at : options.at) {
    const std::size_t equals = at.find('=');
    const std::string source = "--at " + at;
    if (equals == std::string::npos || equals == 0) {
      complaints.add(source, "show.bad_at", "An axis and its value are needed, for example --at rtt=\"1 ms\".");
    } else if (!view.at.emplace(at.substr(0, equals), at.substr(equals + 1)).second) {
      complaints.add(source, "show.held_twice", "\"" + at.substr(0, equals) + "\" is held already; one --at an axis.");
    }
  }
  return view;
}

void refuse_faults(const SweepTable& table, const SweepView& view) {
  Complaints complaints;
  for (const SweepViewFault& fault : faults_of(table, view)) complaints.add(fault.option, fault.code, fault.text);
  complaints.raise();
}

}  // namespace saturn
