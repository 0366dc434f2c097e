#include "sim/plan/comparison/compare_alternatives.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "scenarios/demands/demands.hpp"
#include "sim/plan/comparison/alternatives.hpp"
#include "sim/plan/costs/purchase_terms.hpp"
#include "sim/plan/one_search.hpp"
#include "sim/plan/search/figures_by_bound.hpp"

namespace saturn {

namespace {

using Where = BreakEvenPoint::Where;

// Event times are wanted to a thousandth: the slowdown that this care belongs to is five times as large.
constexpr double tolerated_slowdown = 0.005;
constexpr double equal_times = 1e-4;  ///< of the event time [1]
constexpr int most_steps_to_even = 8;
constexpr double first_step = 0.1;  ///< round the formula's answer, relative

/// Event times of the varied alternative, each simulated once.
class SimulatedCurve {
 public:
  SimulatedCurve(const VariedAlternative& varied, const Evaluate& evaluate)
      : varied_(varied), points_(evaluate, [](Scenario one, Care care) {
          return as_simulated(std::move(one), tolerated_slowdown, care);
        }) {}

  /// Simulates those that are not known yet side by side.
  void simulate(const std::vector<double>& where) {
    std::vector<std::pair<double, Scenario>> wanted;
    for (const double x : where) wanted.emplace_back(x, varied_.scenario(x));
    points_.simulate(wanted, Care::scout);
  }

  const Estimate& at(double x) {
    if (points_.find(x) == nullptr) simulate({x});
    return points_.find(x)->summary.all_jobs["event_time_s"];
  }

  std::size_t simulations() const { return points_.all().size(); }

 private:
  const VariedAlternative& varied_;
  PointStore<double> points_;
};

double interpolated(double low, double high, double at_low, double at_high, double wanted) {
  const double rise = at_high - at_low;
  if (!(rise > 0.0)) return (low + high) / 2;
  return low + (high - low) * std::clamp((wanted - at_low) / rise, 0.0, 1.0);
}

/// The crossing within a bracket, with its interval.
BreakEvenPoint crossing(SimulatedCurve& curve, double low, double high, const Estimate& against, double resolution) {
  double x = interpolated(low, high, curve.at(low).mean, curve.at(high).mean, against.mean);
  for (int round = 0; round < most_steps_to_even && high - low > resolution; ++round) {
    // Interpolation alone creeps where the curve is flat on one side, so every third step halves the bracket.
    const double margin = 0.02 * (high - low);
    x = round % 3 == 2 ? (low + high) / 2 : std::clamp(x, low + margin, high - margin);
    const double time = curve.at(x).mean;
    (time > against.mean ? high : low) = x;
    if (std::abs(time - against.mean) <= equal_times * against.mean) break;
    x = interpolated(low, high, curve.at(low).mean, curve.at(high).mean, against.mean);
  }
  const double slope = (curve.at(high).mean - curve.at(low).mean) / (high - low);
  x = interpolated(low, high, curve.at(low).mean, curve.at(high).mean, against.mean);
  const double noise = std::hypot(against.half_width(), curve.at(high).half_width());
  const double half = (slope > 0.0 ? noise / slope : high - low) + resolution / 2;
  return {.where = Where::at,
          .value = {.mean = x,
                    .low = x - half,
                    .high = x + half,
                    .confidence = against.confidence,
                    .replications = against.replications}};
}

}  // namespace

BreakEvenPoint break_even_by_formula(const VariedAlternative& varied, double against_s) {
  if (varied.bound_event_time(varied.lowest) > against_s) return {.where = Where::always, .value = {}};
  if (varied.bound_event_time(varied.highest) <= against_s) return {.where = Where::never, .value = {}};
  double low = varied.lowest;
  double high = varied.highest;
  while (high - low > 4 * std::numeric_limits<double>::epsilon() * high) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    (varied.bound_event_time(middle) > against_s ? high : low) = middle;
  }
  return {.where = Where::at, .value = {.mean = low, .low = low, .high = low}};
}

BreakEvenPoint break_even_by_simulation(const VariedAlternative& varied, const Estimate& against,
                                        const BreakEvenPoint& guess, const Evaluate& evaluate,
                                        std::size_t& simulations) {
  SimulatedCurve curve(varied, evaluate);
  double low = varied.lowest;
  double high = varied.highest;
  if (guess.where == Where::at) {
    low = std::max(low, (1 - first_step) * guess.value.mean - varied.resolution);
    high = std::min(high, (1 + first_step) * guess.value.mean + varied.resolution);
    curve.simulate({low, high});
  }
  BreakEvenPoint result;
  if (curve.at(low).mean > against.mean) {
    high = low;
    low = varied.lowest;
  }
  if (curve.at(low).mean > against.mean) {
    result.where = Where::always;
  } else {
    if (curve.at(high).mean <= against.mean) {
      low = high;
      high = varied.highest;
    }
    if (curve.at(high).mean <= against.mean) {
      result.where = Where::never;
    } else {
      result = crossing(curve, low, high, against, varied.resolution);
    }
  }
  simulations = curve.simulations();
  return result;
}

namespace {

// A microsecond of round trip is nothing that anybody could choose.
constexpr double round_trip_resolution_s = 1e-6;
// Event times within rounding errors of each other are the same.
constexpr double same_time = 1e-9;

double bound_of(const Scenario& scenario) {
  return asymptotic_bounds(closed_network(scenario)).event_time_s;
}

VariedAlternative varied_round_trip(const Scenario& scenario) {
  return {.scenario = [&scenario](double seconds) { return with_round_trip(scenario, seconds); },
          .bound_event_time = [&scenario](double seconds) { return bound_of(with_round_trip(scenario, seconds)); },
          .lowest = 0.0,
          .highest = longest_round_trip_s,
          .resolution = round_trip_resolution_s};
}

/// In jobs a device, up to where the bound is past `beyond_s`.
VariedAlternative varied_jobs(const Scenario& scenario, double beyond_s) {
  const auto devices = static_cast<double>(device_count(scenario));
  const ClosedNetwork network = closed_network(scenario);
  const Bounds bounds = asymptotic_bounds(network);
  const double jobs = job_count(scenario);
  const double streams_per_job = bounds.clients / jobs;
  const double demand_s = bounds.knees.empty() ? 0.0 : bounds.knees.front().demand_s;
  const double most = demand_s > 0.0 ? 1.5 * beyond_s / demand_s / streams_per_job : 2.0 * jobs;
  const double fewest = static_cast<double>(scenario.jobs.size());
  const auto clients = [=](double jobs_per_device) { return jobs_per_device * devices * streams_per_job; };
  return {
      .scenario = [&scenario, clients](double x) { return with_streams(scenario, clients(x)); },
      .bound_event_time =
          [network, clients](double x) { return asymptotic_bounds(with_clients(network, clients(x))).event_time_s; },
      .lowest = fewest / devices,
      .highest = std::max(most, 2.0 * fewest) / devices,
      .resolution = 1.0 / devices};
}

/// Finds break-evens of the service against other alternatives.
class BreakEvens {
 public:
  BreakEvens(const std::vector<AlternativeScenario>& alternatives, const Evaluate& evaluate,
             AlternativesComparison& comparison)
      : alternatives_(alternatives), evaluate_(evaluate), comparison_(comparison) {}

  void find() {
    const auto service = std::find_if(alternatives_.begin(), alternatives_.end(),
                                      [](const AlternativeScenario& one) { return one.about.service; });
    if (service == alternatives_.end() || !service->scenario || service->scenario->servers.empty()) return;
    service_ = static_cast<std::size_t>(service - alternatives_.begin());
    const Scenario& scenario = *service->scenario;
    const std::optional<std::size_t> best = best_other();
    for (std::size_t i = 0; i < alternatives_.size(); ++i) {
      if (i == service_ || !alternatives_[i].scenario) continue;
      const bool wanted = best == i || alternatives_[i].about.cpu_only;
      const std::optional<double> round_trip = round_trip_of(scenario);
      if (wanted && round_trip) add(BreakEvenOf::round_trip_time, i, varied_round_trip(scenario), *round_trip);
    }
    for (std::size_t i = 0; i < alternatives_.size(); ++i) {
      if (i == service_ || !alternatives_[i].scenario || !alternatives_[i].about.per_job) continue;
      add(BreakEvenOf::jobs_per_device, i, varied_jobs(scenario, bound_of(*alternatives_[i].scenario)),
          job_count(scenario) / static_cast<double>(device_count(scenario)));
    }
  }

 private:
  std::optional<std::size_t> best_other() const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < alternatives_.size(); ++i) {
      if (i == service_ || !alternatives_[i].scenario) continue;
      if (!best || time_of(i).mean < time_of(*best).mean) best = i;
    }
    return best;
  }

  const Estimate& time_of(std::size_t i) const { return comparison_.alternatives[i].outcome->event_time_s; }

  void add(BreakEvenOf of, std::size_t against, const VariedAlternative& varied, double present) {
    BreakEven result{.of = of,
                     .service = alternatives_[service_].about.name,
                     .against = alternatives_[against].about.name,
                     .lowest = varied.lowest,
                     .highest = varied.highest,
                     .present = present};
    result.formula = break_even_by_formula(varied, bound_of(*alternatives_[against].scenario));
    result.simulated =
        break_even_by_simulation(varied, time_of(against), result.formula, evaluate_, result.simulations);
    comparison_.break_evens.push_back(std::move(result));
  }

  const std::vector<AlternativeScenario>& alternatives_;
  const Evaluate& evaluate_;
  AlternativesComparison& comparison_;
  std::size_t service_ = 0;
};

void set_core_price(std::vector<AlternativeScenario>& alternatives, UsdPerHour price) {
  for (AlternativeScenario& one : alternatives) {
    if (!one.scenario) continue;
    one.scenario->costs.core = price;
    one.scenario->costs.core_origin = {.date = "", .source = "--core-price"};
  }
}

/// Each price once, although most alternatives share it.
void add_prices(const Scenario& scenario, AlternativesComparison& comparison) {
  comparison.cores_priced = comparison.cores_priced || scenario.costs.core;
  for (QuotedPrice& quote : quoted_prices(scenario)) {
    const bool known = std::any_of(comparison.prices.begin(), comparison.prices.end(), [&](const QuotedPrice& other) {
      return other.of == quote.of && other.value == quote.value;
    });
    if (!known) comparison.prices.push_back(std::move(quote));
  }
}

/// Without servers a scenario does not tell what was offloaded; the service does.
void price_module_on_cpu(const std::vector<AlternativeScenario>& alternatives, AlternativesComparison& comparison) {
  const auto service = std::find_if(alternatives.begin(), alternatives.end(), [](const AlternativeScenario& one) {
    return one.about.service && one.scenario && !one.scenario->servers.empty();
  });
  if (service == alternatives.end()) return;
  const auto price = module_price(*service->scenario, {}, 0.0, 0.0).cpu_only_usd_per_million;
  for (std::size_t i = 0; i < alternatives.size(); ++i)
    if (alternatives[i].about.cpu_only && comparison.alternatives[i].outcome)
      comparison.alternatives[i].outcome->module_usd_per_million_events = price;
}

void set_winners(AlternativesComparison& comparison) {
  const auto& rows = comparison.alternatives;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].outcome || rows[i].outcome->rejected_share > 0.0) continue;
    const auto time = [&](std::size_t k) { return rows[k].outcome->event_time_s.mean; };
    const auto cost = [&](std::size_t k) { return rows[k].outcome->cost_usd_per_million_events; };
    if (!comparison.fastest || time(i) < time(*comparison.fastest)) comparison.fastest = i;
    if (cost(i) && (!comparison.cheapest || *cost(i) < *cost(*comparison.cheapest))) comparison.cheapest = i;
  }
  if (!comparison.fastest) return;
  const Estimate& best = rows[*comparison.fastest].outcome->event_time_s;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].outcome || i == *comparison.fastest || rows[i].outcome->rejected_share > 0.0) continue;
    const Estimate& time = rows[i].outcome->event_time_s;
    const double noise = std::hypot(best.half_width(), time.half_width());
    if (time.mean - best.mean <= std::max(noise, same_time * best.mean)) comparison.as_fast.push_back(i);
  }
}

}  // namespace

AlternativesComparison compare_alternatives(std::vector<AlternativeScenario> alternatives,
                                            std::optional<UsdPerHour> core_price, const Evaluate& evaluate) {
  if (core_price) set_core_price(alternatives, *core_price);
  AlternativesComparison comparison;
  std::vector<Scenario> scenarios;
  for (const AlternativeScenario& one : alternatives) {
    comparison.alternatives.push_back({.about = one.about});
    if (one.scenario) scenarios.push_back(*one.scenario);
  }
  const std::vector<Results> summaries = evaluate(scenarios);
  std::size_t next = 0;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (!alternatives[i].scenario) continue;
    comparison.alternatives[i].outcome = assess_alternative(*alternatives[i].scenario, summaries.at(next++));
    add_prices(*alternatives[i].scenario, comparison);
  }
  price_module_on_cpu(alternatives, comparison);
  BreakEvens(alternatives, evaluate, comparison).find();
  set_winners(comparison);
  return comparison;
}

}  // namespace saturn
