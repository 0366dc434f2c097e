#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "scenarios/demands/demands.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/comparison/alternatives.hpp"
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

/// An alternative as a function of one quantity, along which its event time never falls.
struct VariedAlternative {
  std::function<Scenario(double)> scenario;        ///< to simulate
  std::function<double(double)> bound_event_time;  ///< lower bound of its event time [s]
  double lowest = 0.0;
  double highest = 0.0;
  double resolution = 0.0;  ///< differences below this make no other scenario, or mean nothing; part of intervals
};

/// Event times of the varied alternative, each simulated once.
class SimulatedCurve {
 public:
  SimulatedCurve(const VariedAlternative& varied, const Evaluate& evaluate) : varied_(varied), evaluate_(evaluate) {}

  /// Simulates those that are not known yet side by side.
  void simulate(const std::vector<double>& where) {
    std::vector<Wanted> wanted;
    for (const double x : where) wanted.push_back({x});
    times_.simulate(std::span<const Wanted>(wanted), wanted.size(), [this](std::span<const Wanted> unknown) {
      std::vector<Scenario> scenarios;
      for (const Wanted& one : unknown)
        scenarios.push_back(as_simulated(varied_.scenario(one.x), tolerated_slowdown, Care::scout));
      std::vector<Estimate> times;
      for (const Results& summary : evaluate_(scenarios)) times.push_back(summary.all_jobs["event_time_s"]);
      return times;
    });
  }

  const Estimate& at(double x) {
    if (times_.find(x) == nullptr) simulate({x});
    return *times_.find(x);
  }

  std::size_t simulations() const { return times_.all().size(); }

 private:
  struct Wanted {
    double x = 0.0;

    double key() const { return x; }
    bool is_met_by(const Estimate&) const { return true; }
  };

  const VariedAlternative& varied_;
  const Evaluate& evaluate_;
  RunStore<double, Estimate> times_;
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

/// Where the bound of the one reaches that of the other, by bisection.
/// @param against_s  bound of the other's event time [s]
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

/// Where the simulated event time of the one reaches that of the other: brackets it round the formula's answer, closes
/// in by interpolation and bisection with the scenario's seed, and gives the interval that follows from the intervals
/// of both event times over the local slope.
/// @param against     simulated event time of the other [s]
/// @param guess       the formula's answer
/// @param simulations takes the number of simulated scenarios
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

// A microsecond of round trip is nothing that anybody could choose.
constexpr double round_trip_resolution_s = 1e-6;
// Event times within rounding errors of each other are the same.
constexpr double same_time = 1e-9;

VariedAlternative varied_round_trip(const Scenario& scenario) {
  return {.scenario = [&scenario](double seconds) { return with_round_trip(scenario, seconds); },
          .bound_event_time =
              [&scenario](double seconds) { return System(with_round_trip(scenario, seconds)).bounds.event_time_s; },
          .lowest = 0.0,
          .highest = longest_round_trip_s,
          .resolution = round_trip_resolution_s};
}

/// In jobs a device, up to where the bound is past `beyond_s`.
VariedAlternative varied_jobs(const Scenario& scenario, double beyond_s) {
  const auto devices = static_cast<double>(device_count(scenario));
  const auto& [derived, network, bounds] = System(scenario);
  const double jobs = job_count(scenario);
  const double streams_per_job = bounds.clients / jobs;
  const double demand_s = bounds.knees.empty() ? 0.0 : bounds.knees.front().demand_s;
  const double most = demand_s > 0.0 ? 1.5 * beyond_s / demand_s / streams_per_job : 2.0 * jobs;
  const double fewest = static_cast<double>(scenario.jobs.size());
  const auto clients = [=](double jobs_per_device) { return jobs_per_device * devices * streams_per_job; };
  return {
      .scenario = [&scenario, clients](double x) { return with_streams(scenario, clients(x)); },
      .bound_event_time = [network = network, clients](
                              double x) { return asymptotic_bounds(with_clients(network, clients(x))).event_time_s; },
      .lowest = fewest / devices,
      .highest = std::max(most, 2.0 * fewest) / devices,
      .resolution = 1.0 / devices};
}

/// The service that takes part; end() where there is none.
std::vector<ComparedAlternative>::const_iterator service_of(const std::vector<ComparedAlternative>& rows) {
  const auto service = std::find_if(rows.begin(), rows.end(), [](const auto& one) { return one.about.service; });
  return service == rows.end() || !service->scenario || service->scenario->servers.empty() ? rows.end() : service;
}

/// Break-evens of the service against other alternatives.
void add_break_evens(AlternativesComparison& comparison, const Evaluate& evaluate) {
  const auto service = service_of(comparison.alternatives);
  if (service == comparison.alternatives.end()) return;
  const Scenario& scenario = *service->scenario;
  std::vector<const ComparedAlternative*> others;
  for (const ComparedAlternative& one : comparison.alternatives)
    if (&one != &*service && one.scenario) others.push_back(&one);
  const auto time_of = [](const ComparedAlternative& one) -> const Estimate& { return one.outcome->event_time_s; };
  const auto add = [&](BreakEvenOf of, const ComparedAlternative& against, const VariedAlternative& varied,
                       double present) {
    BreakEven result{.of = of,
                     .service = service->about.name,
                     .against = against.about.name,
                     .lowest = varied.lowest,
                     .highest = varied.highest,
                     .present = present};
    result.formula = break_even_by_formula(varied, System(*against.scenario).bounds.event_time_s);
    result.simulated = break_even_by_simulation(varied, time_of(against), result.formula, evaluate, result.simulations);
    comparison.break_evens.push_back(std::move(result));
  };
  const auto best = std::min_element(others.begin(), others.end(),
                                     [&](const auto* a, const auto* b) { return time_of(*a).mean < time_of(*b).mean; });
  if (const std::optional<double> round_trip = round_trip_of(scenario))
    for (const ComparedAlternative* other : others)
      if (other == *best || other->about.cpu_only)
        add(BreakEvenOf::round_trip_time, *other, varied_round_trip(scenario), *round_trip);
  for (const ComparedAlternative* other : others)
    if (other->about.per_job)
      add(BreakEvenOf::jobs_per_device, *other, varied_jobs(scenario, System(*other->scenario).bounds.event_time_s),
          job_count(scenario) / static_cast<double>(device_count(scenario)));
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
void price_module_on_cpu(std::vector<ComparedAlternative>& rows) {
  const auto service = service_of(rows);
  if (service == rows.end()) return;
  const auto price = module_price(*service->scenario, {}, 0.0, 0.0).cpu_only_usd_per_million;
  for (ComparedAlternative& one : rows)
    if (one.about.cpu_only && one.outcome) one.outcome->module_usd_per_million_events = price;
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

AlternativesComparison compare_alternatives(std::vector<ComparedAlternative> alternatives,
                                            std::optional<UsdPerHour> core_price, const Evaluate& evaluate) {
  AlternativesComparison comparison;
  comparison.alternatives = std::move(alternatives);
  std::vector<Scenario> scenarios;
  for (ComparedAlternative& one : comparison.alternatives) {
    if (!one.scenario) continue;
    if (core_price) {
      one.scenario->costs.core = *core_price;
      one.scenario->costs.core_origin = {.date = "", .source = "--core-price"};
    }
    scenarios.push_back(*one.scenario);
  }
  const std::vector<Results> summaries = evaluate(scenarios);
  std::size_t next = 0;
  for (ComparedAlternative& one : comparison.alternatives) {
    if (!one.scenario) continue;
    one.outcome = assess_alternative(*one.scenario, summaries.at(next++));
    add_prices(*one.scenario, comparison);
  }
  price_module_on_cpu(comparison.alternatives);
  add_break_evens(comparison, evaluate);
  set_winners(comparison);
  return comparison;
}

}  // namespace saturn
