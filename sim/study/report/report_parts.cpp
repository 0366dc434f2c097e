#include "sim/study/report/report_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string_view>

#include "calibration/measured_case.hpp"
#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/mva.hpp"
#include "models/words/texts.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/inputs/fitted_values.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/formulas.hpp"
#include "sim/formula/system_facts.hpp"
#include "sim/plan/comparison/sensitivity.hpp"
#include "sim/plan/jobs_and_devices.hpp"
#include "sim/study/measured/validation.hpp"
#include "sim/study/plan/plan_parts.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"

namespace saturn {

namespace {

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

RunOptions StudyContext::run_options_until() const {
  RunOptions timed = run_options;
  timed.deadline = budget.deadline(until);
  return timed;
}

std::vector<Results> StudyContext::simulate(std::span<const Scenario> scenarios) const {
  if (is_over()) throw OutOfBudget();
  PlannedRuns runs(read.scenario, run_options_until());
  return runs.evaluate(scenarios);
}

Evaluate StudyContext::evaluator() const {
  return [this](std::span<const Scenario> scenarios) {
    if (is_over()) throw OutOfBudget();
    return PlannedRuns(read.scenario, run_options_until()).evaluate_means(scenarios);
  };
}

std::string budget_spent_text(const StudyContext& context) {
  return "The budget of " + number_text(context.budget.time()->value, 3) +
         " s was spent before this was simulated; --budget gives more.";
}

std::string why_not_studied(const StudyContext& context) {
  try {
    throw;
  } catch (const OutOfBudget&) {
    return budget_spent_text(context);
  } catch (const RunFailed& failed) {
    if (failed.exit_code() == ExitCode::precision_not_reached) return budget_spent_text(context);
    if (failed.exit_code() != ExitCode::input) throw;
    return first_line(failed.what());
  } catch (const InputError& error) {
    return in_one_line(error);
  } catch (const std::domain_error& none) {
    return none.what();
  }
}

PlanReport plan_study(const StudyContext& context) {
  PlanQuestion question = context.question;
  question.also_within = other_tolerance(question.slowdown);
  question.also_alone = true;
  PlanReport found{.provenance = {},
                   .facts = gather_facts(context.scenario()),
                   .question = question,
                   .plan = make_plan(context.scenario(), question, context.evaluator())};
  if (context.options.scenario.fits_exact) return found;
  try {
    add_calibration(found.plan, context.read, context.question, context.budget.deadline(context.until));
  } catch (const OutOfBudget&) {
    found.left_out.emplace_back("what the fits leave open");
  }
  return found;
}

OpenPlanReport arrivals_study(const StudyContext& context) {
  const Scenario& scenario = context.scenario();
  const OpenPlan plan = plan_open(scenario, context.loss, context.evaluator());
  return {.provenance = {},
          .facts = gather_facts(planned_scenario(scenario, stream_count(scenario), plan.gpus)),
          .plan = plan};
}

Studied<NeedStudy> need_study(const StudyContext& context, const Plan* plan, const OpenPlan* arrivals) {
  const Scenario& scenario = context.scenario();
  if (device_count(scenario) == 0 || (any_open(scenario) && !all_open(scenario))) return {};
  NeedStudy study{.need = needed_devices(scenario, context.evaluator()),
                  .device_word = device_word_of(scenario),
                  .stream_word = stream_word_of(scenario),
                  .planned_tolerance = context.question.slowdown};
  if (plan != nullptr) study.planned = plan->answer.gpus;
  if (arrivals != nullptr && arrivals->confirmed) study.planned = arrivals->gpus;
  return {.study = std::move(study), .why_not = ""};
}

Studied<Sensitivity> sensitivity_study(const StudyContext& context, const Plan& plan) {
  if (plan.budget_spent)
    return {.study = {}, .why_not = "The plan was not finished, and what it depends on was not looked at."};
  if (context.is_over()) throw OutOfBudget();
  CandidateRuns runs(context.run_options_until(), CandidateRuns::Keep::replications);
  return {.study = analyse_plan_sensitivity(plan, context.question, context.read, context.read.again, runs.evaluator(),
                                            assumed_uncertainty),
          .why_not = ""};
}

namespace {

bool of_count(const Override& change) {
  return change.pointer.starts_with("/jobs/") && change.pointer.ends_with("/count");
}

/// The time of the nodes' own work, which the measured nodes did not have in common.
bool of_cpu(const Override& change) {
  return change.pointer.starts_with("/jobs/") && change.pointer.find("/cpu") != std::string::npos;
}

std::optional<PublishedLoad> published_load(const MeasuredRow& row, const StudyContext& context) {
  const bool alike = std::all_of(row.set.begin(), row.set.end(),
                                 [](const Override& change) { return of_count(change) || of_cpu(change); });
  if (!alike) return std::nullopt;
  PublishedLoad load{.label = row.point.label, .counts = row.point.use == PointUse::scored};
  std::vector<Override> counts;
  std::copy_if(row.set.begin(), row.set.end(), std::back_inserter(counts), of_count);
  const Scenario scenario = context.read.again(counts);
  load.streams_per_device = stream_count(scenario) / static_cast<double>(device_count(scenario));
  for (const MeasuredValue& value : row.point.values) {
    if (value.quantity->name == "event_time_s") {
      load.event_time_s = value.value;
      load.event_time_sem_s = value.sem;
    }
    if (value.quantity->name == "events_per_s") load.events_per_s = value.value;
  }
  if (!load.event_time_s && !load.events_per_s) return std::nullopt;
  return load;
}

}  // namespace

void add_published_loads(SaturationStudy& study, const StudyContext& context) {
  if (device_count(context.scenario()) == 0) return;
  for (const MeasuredCase& measured : cases_about(context.read, context.options.scenario)) {
    const std::size_t before = study.published.size();
    bool own_cpu = false;
    for (const MeasuredRow& row : measured.rows) {
      if (std::optional<PublishedLoad> load = published_load(row, context)) {
        study.published.push_back(std::move(*load));
        own_cpu = own_cpu || std::any_of(row.set.begin(), row.set.end(), of_cpu);
      }
    }
    if (study.published.size() == before) continue;
    append_part(study.published_source, measured.about.source, "; ");
    append_part(study.published_words, measured.about.title, "; ");
    if (own_cpu) study.published_source += " (the work outside the module differs from point to point)";
  }
}

Studied<MeasuredStudy> measured_study(const StudyContext& context) {
  const std::vector<MeasuredCase> cases = cases_about(context.read, context.options.scenario);
  if (cases.empty()) return {};
  if (context.is_over()) throw OutOfBudget();
  std::vector<Override> changes;
  for (const Override& one : overrides_of(context.options.scenario))
    if (one.pointer.starts_with("/run/")) changes.push_back(one);
  return {.study = MeasuredStudy{.cases = validated(cases, changes, context.run_options_until()).cases}, .why_not = ""};
}

namespace {

constexpr std::size_t formula_samples = 72;
// Beyond this, mean value analysis would no longer be instant.
constexpr std::size_t most_mva_clients_of_curve = 20'000;
constexpr double most_mva_products_of_curve = 1e8;
// A curve's point need not be as precise as the scenario's own: it is read by eye.
constexpr double curve_precision = 0.01;
constexpr std::uint64_t curve_replications = 5;
// Batch means see less than differs between replications: one alone is enough where they are far below the precision.
constexpr double single_precision = curve_precision / 3;
// Above this and above twice the scenario's own number, no clients are simulated for a curve.
constexpr double most_simulated_clients = 20'000.0;
// Shares of the clients that saturate the first resource, dense round 1.
constexpr std::array shares_of_knee{0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0};
// Without such a number, shares of the scenario's own.
constexpr std::array shares_of_own{0.25, 0.5, 1.5, 2.0};

/// Numbers of clients to simulate but the scenario's own, each that of a scenario with whole jobs.
std::set<double> simulated_clients(const Scenario& scenario, const std::optional<double>& knee) {
  const double own = stream_count(scenario);
  const double most = std::max(most_simulated_clients, 2.0 * own);
  std::set<double> clients;
  const auto add = [&](double wanted) {
    if (wanted > most || !(wanted > 0.0)) return;
    const double whole = stream_count(with_streams(scenario, wanted));
    if (whole != own && whole <= most) clients.insert(whole);
  };
  if (knee) {
    const auto devices = static_cast<double>(std::max<std::uint64_t>(1, device_count(scenario)));
    add(std::min(devices, 0.25 * *knee));
    for (const double share : shares_of_knee) add(share * *knee);
  } else {
    add(1.0);
    for (const double share : shares_of_own) add(share * own);
  }
  return clients;
}

Scenario for_curve(const Scenario& scenario, double clients) {
  Scenario result = with_streams(scenario, clients);
  result.run.precision = std::max(result.run.precision, curve_precision);
  result.run.max_replications = std::min(result.run.max_replications, curve_replications);
  result.run.min_replications = std::min(result.run.min_replications, result.run.max_replications);
  return result;
}

/// Simulates each once, and those further that scatter.
std::vector<Results> simulate_for_curve(const StudyContext& context, const std::vector<Scenario>& scenarios) {
  std::vector<Scenario> looked_at = scenarios;
  for (Scenario& scenario : looked_at) scenario.run.min_replications = scenario.run.max_replications = 1;
  std::vector<Results> summaries = context.simulate(looked_at);
  std::vector<std::size_t> uncertain;
  looked_at.clear();
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    if (scenarios[i].run.max_replications == 1 || is_deterministic(scenarios[i])) continue;
    if (summaries[i].relative_half_width <= single_precision) continue;
    uncertain.push_back(i);
    looked_at.push_back(scenarios[i]);
  }
  if (looked_at.empty()) return summaries;
  std::vector<Results> repeated = context.simulate(looked_at);
  for (std::size_t i = 0; i < uncertain.size(); ++i) summaries[uncertain[i]] = std::move(repeated[i]);
  return summaries;
}

/// Simulates numbers of clients, coarse ones first, until the time is over.
void add_simulated(SaturationStudy& study, const StudyContext& context, const std::set<double>& clients) {
  std::vector<double> order;
  for (std::size_t begin = 0; begin < 2; ++begin) {
    std::size_t i = 0;
    for (const double one : clients)
      if (i++ % 2 == begin) order.push_back(one);
  }
  const std::size_t half = (order.size() + 1) / 2;
  for (const std::size_t begin : {std::size_t{0}, half}) {
    std::vector<Scenario> scenarios;
    for (std::size_t i = begin; i < (begin == 0 ? half : order.size()); ++i)
      scenarios.push_back(for_curve(context.scenario(), order[i]));
    if (scenarios.empty() || context.is_over()) continue;
    std::vector<Results> summaries;
    try {
      summaries = simulate_for_curve(context, scenarios);
    } catch (const OutOfBudget&) {
      return;
    }
    for (std::size_t i = 0; i < summaries.size(); ++i)
      study.simulated.push_back(
          {.clients = order[begin + i], .summary = std::move(summaries[i]), .precision_reached = true});
  }
}

void add_formulas(SaturationStudy& study, const System& system, double most) {
  const auto& [scenario, network, bounds_here] = system;
  std::set<double> clients;
  const double fewest = std::min(1.0, most);
  for (std::size_t i = 0; i < formula_samples; ++i)
    clients.insert(std::round(fewest + (most - fewest) * static_cast<double>(i) / (formula_samples - 1)));
  for (const SimulatedLoad& load : study.simulated) clients.insert(load.clients);
  clients.erase(0.0);

  std::vector<double> mva;
  if (why_no_mva(scenario).empty()) {
    const auto last = static_cast<std::size_t>(std::min(*clients.rbegin(), double{most_mva_clients_of_curve}));
    const std::vector<MvaStation> stations = mva_stations(network);
    if (mva_products(stations, static_cast<double>(last)) <= most_mva_products_of_curve) {
      mva = mva_throughputs(stations, network.classes.front().think_time.value, last);
      study.mva_word = network.product_form_violations.empty() ? "exact MVA" : "approximate MVA";
    }
  }
  const PublishedFormula published = published_formula(scenario);
  for (const double n : clients) {
    const Bounds bounds = asymptotic_bounds(with_clients(network, n));
    FormulaLoad load{
        .clients = n, .bound_event_time_s = bounds.event_time_s, .bound_events_per_s = bounds.events_per_s};
    if (published.why_not.empty()) {
      SaturationFormula formula = published.formula;
      formula.clients = n;
      load.published_event_time_s = formula.event_time_s();
      load.published_events_per_s = n / formula.event_time_s();
    }
    const auto whole = static_cast<std::size_t>(n);
    if (whole >= 1 && whole <= mva.size()) {
      load.mva_events_per_s = mva[whole - 1];
      load.mva_event_time_s = n / mva[whole - 1] - network.classes.front().set_up.value;
    }
    study.formulas.push_back(load);
  }
}

}  // namespace

SaturationStudy saturation_study(const StudyContext& context, const Results& own, const std::optional<Estimate>& knee) {
  const Scenario& scenario = context.scenario();
  SaturationStudy study;
  study.scenario = context.name;
  study.seed = scenario.run.seed;
  study.facts = gather_facts(scenario);
  study.knee = knee;
  study.tolerated_slowdown = context.question.slowdown;
  study.simulated.push_back({.clients = stream_count(scenario),
                             .summary = own,
                             .precision_reached = own.relative_half_width <= scenario.run.precision});
  if (any_open(scenario)) return study;
  const System system(scenario);
  const std::optional<double> at =
      std::isfinite(system.knee_streams()) ? std::optional(system.knee_streams()) : std::nullopt;
  add_simulated(study, context, simulated_clients(scenario, at));
  std::sort(study.simulated.begin(), study.simulated.end(),
            [](const SimulatedLoad& a, const SimulatedLoad& b) { return a.clients < b.clients; });
  const auto is_own = [&](const SimulatedLoad& load) { return load.clients == stream_count(scenario); };
  study.own = static_cast<std::size_t>(std::find_if(study.simulated.begin(), study.simulated.end(), is_own) -
                                       study.simulated.begin());
  const double most = std::max(study.simulated.back().clients, at && *at <= most_simulated_clients ? 2.0 * *at : 0.0);
  add_formulas(study, system, most);
  add_published_loads(study, context);
  return study;
}

}  // namespace saturn
