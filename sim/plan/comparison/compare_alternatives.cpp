#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/comparison/alternatives.hpp"
#include "sim/plan/one_search.hpp"
#include "sim/plan/search/figures_by_bound.hpp"

namespace saturn {

namespace {

using Where = BreakEvenPoint::Where;

// Event times are wanted to a thousandth: the slowdown that this care belongs to is five times as large.
constexpr double tolerated_slowdown = 0.005;
constexpr int most_steps_to_even = 8;
// What is slower and dearer than the best by so much after a brief look needs no other.
constexpr double glance_margin = 0.25;

/// Whether streams draw a node once a run and keep it.
bool draws_connections(const Scenario& scenario) {
  return std::any_of(scenario.models.begin(), scenario.models.end(), [&](const auto& model) {
    std::uint64_t nodes = 0;
    bool draws = false;
    for (const std::size_t s : servers_of(scenario, model.first)) {
      const Server& server = scenario.servers[s];
      nodes += server.nodes;
      draws = draws || (server.balancing == Balancing::per_connection &&
                        (server.dispatch == Dispatch::random || server.dispatch == Dispatch::power_of_two));
    }
    return draws && nodes > 1;
  });
}

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
  /// @param known  what is simulated already, by where
  SimulatedCurve(VariedAlternative varied, std::map<double, Estimate> known)
      : varied_(std::move(varied)), times_(std::move(known)) {}

  const VariedAlternative& varied() const { return varied_; }

  /// What is to be simulated for its time at `x`.
  Scenario scenario_at(double x) const { return as_simulated(varied_.scenario(x), tolerated_slowdown, Care::scout); }
  void take(double x, const Estimate& event_time_s) {
    ++simulations_;
    const Scenario simulated = scenario_at(x);
    times_[x] = draws_connections(simulated) ? known_to(simulated.run.precision, event_time_s) : event_time_s;
  }
  const Estimate& at(double x) const { return times_.at(x); }

  /// Slope round a simulated point: to another one near it, else that of the bound.
  double slope_at(double x) const {
    constexpr double near = 0.2;
    const double time = times_.at(x).mean;
    double slope = 0.0;
    double nearest = near * x;
    for (const auto& [other, estimate] : times_) {
      const double distance = std::abs(other - x);
      // Whole jobs stand for numbers between them.
      if (distance > nearest || distance < 4 * varied_.resolution) continue;
      nearest = distance;
      slope = (estimate.mean - time) / (other - x);
    }
    if (slope > 0.0) return slope;
    const double low = std::max(varied_.lowest, x * (1 - bound_step));
    const double high = std::min(varied_.highest, x * (1 + bound_step));
    return (varied_.bound_event_time(high) - varied_.bound_event_time(low)) / (high - low);
  }

  /// The simulated points between which the event time passes `time_s`, or the ends of the range.
  std::pair<double, double> bracket(double time_s) const {
    std::pair<double, double> found{varied_.lowest, varied_.highest};
    for (const auto& [x, estimate] : times_) {
      if (x < varied_.lowest || x > varied_.highest) continue;
      if (estimate.mean > time_s) {
        found.second = x;
        break;
      }
      found.first = x;
    }
    return found;
  }

  bool knows(double x) const { return times_.contains(x); }
  std::size_t simulations() const { return simulations_; }

 private:
  static constexpr double bound_step = 0.01;

  /// One run says nothing of what is drawn once a run: its event time is known to what was asked for at best.
  /// @param precision  relative half-width that was asked for [1]
  static Estimate known_to(double precision, Estimate event_time_s) {
    const double half = std::max(event_time_s.half_width(), precision * event_time_s.mean);
    event_time_s.low = event_time_s.mean - half;
    event_time_s.high = event_time_s.mean + half;
    return event_time_s;
  }

  VariedAlternative varied_;
  std::map<double, Estimate> times_;
  std::size_t simulations_ = 0;
};

/// Where the bound of the one reaches that of the other, by bisection.
/// @param against_s  bound of the longest event time that is as good as the other's [s]
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

/// Where to look after `x`: what the slope says, or the middle of what is left where that leads nowhere.
/// @param target  along the slope
double next_look(const SimulatedCurve& curve, double target, double against_s, bool may_follow) {
  const auto [low, high] = curve.bracket(against_s);
  const bool is_end = target == curve.varied().lowest || target == curve.varied().highest;
  const bool leads_on = (low < target && target < high) || (is_end && !curve.knows(target));
  return may_follow && leads_on ? target : (low + high) / 2;
}

/// Looks for where the simulated event time of the one reaches that of the other: begins where the formulas expect it,
/// and goes on from there along the slope, every third time halving what is left between simulated points, until what
/// remains to be gone is less than the precision. The interval is that of both event times over the slope, and half of
/// what remained. Who owns it simulates what it wants, so that several searches can share the cores.
class BreakEvenSearch {
 public:
  /// @param against    the longest event time that is as good as the other's, which was simulated [s]
  /// @param guess      the formula's answer
  /// @param precision  wanted of the crossing, relative [1]
  BreakEvenSearch(SimulatedCurve curve, const Estimate& against, const BreakEvenPoint& guess, double precision)
      : curve_(std::move(curve)), against_(against), precision_(precision) {
    const VariedAlternative& varied = curve_.varied();
    // No simulation is faster than the bound.
    if (varied.bound_event_time(varied.lowest) > against.high) found_ = {.where = Where::always, .value = {}};
    x_ = guess.where == Where::at ? guess.value.mean : guess.where == Where::always ? varied.lowest : varied.highest;
    look_on();
  }

  bool done() const { return found_.has_value(); }
  /// What is to be simulated next, until it is done.
  Scenario wanted() const { return curve_.scenario_at(x_); }
  void take(const Estimate& event_time_s) {
    curve_.take(x_, event_time_s);
    look_on();
  }

  const BreakEvenPoint& found() const { return *found_; }
  std::size_t simulations() const { return curve_.simulations(); }

 private:
  BreakEvenPoint even(double where, double low, double high) const {
    return {.where = Where::at,
            .value = {.mean = where,
                      .low = low,
                      .high = high,
                      .confidence = against_.confidence,
                      .replications = against_.replications}};
  }

  void look_on() {
    while (!found_ && curve_.knows(x_)) look();
  }

  void look() {
    const VariedAlternative& varied = curve_.varied();
    const Estimate& time = curve_.at(x_);
    const bool too_slow = time.mean > against_.mean;
    if (x_ <= varied.lowest && too_slow) found_ = {.where = Where::always, .value = {}};
    if (x_ >= varied.highest && !too_slow) found_ = {.where = Where::never, .value = {}};
    if (found_) return;
    const double slope = curve_.slope_at(x_);
    const double remaining = slope > 0.0 ? (against_.mean - time.mean) / slope : 0.0;
    const double target = std::clamp(x_ + remaining, varied.lowest, varied.highest);
    if (slope > 0.0 && std::abs(remaining) <= precision_ * x_ + varied.resolution / 2) {
      const double noise = std::hypot(against_.half_width(), time.half_width()) / slope;
      const double half = noise + (std::abs(remaining) + varied.resolution) / 2;
      found_ = even(target, target - half, target + half);
    } else if (step_ == most_steps_to_even) {
      const auto [low, high] = curve_.bracket(against_.mean);
      found_ = even((low + high) / 2, low, high);
    } else {
      x_ = next_look(curve_, target, against_.mean, slope > 0.0 && step_ % 3 != 0);
      ++step_;
    }
  }

  SimulatedCurve curve_;
  Estimate against_;
  double precision_;
  double x_ = 0.0;
  int step_ = 1;
  std::optional<BreakEvenPoint> found_{};
};

/// Simulates what the searches want, that of all of them at once, until none wants more.
void perform(std::vector<BreakEvenSearch>& searches, const Evaluate& evaluate) {
  while (true) {
    std::vector<BreakEvenSearch*> open;
    std::vector<Scenario> wanted;
    for (BreakEvenSearch& one : searches) {
      if (one.done()) continue;
      open.push_back(&one);
      wanted.push_back(one.wanted());
    }
    if (open.empty()) return;
    const std::vector<Results> summaries = evaluate(wanted);
    for (std::size_t i = 0; i < open.size(); ++i) open[i]->take(summaries.at(i).all_jobs["event_time_s"]);
  }
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
/// @param least  relative difference below which nobody decides [1]
void add_break_evens(AlternativesComparison& comparison, double least, const Evaluate& evaluate) {
  const auto service = service_of(comparison.alternatives);
  // Formulas, with which they begin, know nothing of refusals.
  if (service == comparison.alternatives.end() || may_refuse(*service->scenario)) return;
  const Scenario& scenario = *service->scenario;
  std::vector<const ComparedAlternative*> others;
  for (const ComparedAlternative& one : comparison.alternatives)
    if (&one != &*service && one.scenario) others.push_back(&one);
  const auto time_of = [](const ComparedAlternative& one) -> const Estimate& { return one.outcome->event_time_s; };
  std::vector<BreakEvenSearch> searches;
  const auto add = [&](BreakEvenOf of, const ComparedAlternative& against, VariedAlternative varied, double present) {
    BreakEven result{.of = of,
                     .service = service->about.name,
                     .against = against.about.name,
                     .lowest = varied.lowest,
                     .highest = varied.highest,
                     .least_difference = least,
                     .present = present};
    result.formula = break_even_by_formula(varied, (1.0 + least) * System(*against.scenario).bounds.event_time_s);
    searches.emplace_back(SimulatedCurve(std::move(varied), {{present, time_of(*service)}}),
                          scaled(time_of(against), 1.0 + least), result.formula, scenario.run.precision);
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
  perform(searches, evaluate);
  for (std::size_t i = 0; i < searches.size(); ++i) {
    comparison.break_evens[i].simulated = searches[i].found();
    comparison.break_evens[i].simulations = searches[i].simulations();
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
    if (!rows[i].outcome || rows[i].outcome->unserved_share > 0.0) continue;
    const auto time = [&](std::size_t k) { return rows[k].outcome->event_time_s.mean; };
    const auto cost = [&](std::size_t k) { return rows[k].outcome->cost_usd_per_million_events; };
    if (!comparison.fastest || time(i) < time(*comparison.fastest)) comparison.fastest = i;
    if (cost(i) && (!comparison.cheapest || *cost(i) < *cost(*comparison.cheapest))) comparison.cheapest = i;
  }
  if (!comparison.fastest) return;
  const Estimate& best = rows[*comparison.fastest].outcome->event_time_s;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].outcome || i == *comparison.fastest || rows[i].outcome->unserved_share > 0.0) continue;
    const Estimate& time = rows[i].outcome->event_time_s;
    const double noise = std::hypot(best.half_width(), time.half_width());
    if (time.mean - best.mean <= std::max(noise, same_time * best.mean)) comparison.as_fast.push_back(i);
  }
}

/// Whether a brief look may be enough: no break-even rests on its event time, and a long look takes several
/// replications.
bool may_be_glanced(const ComparedAlternative& one) {
  return !one.about.service && !one.about.per_job && !is_deterministic(*one.scenario);
}

Scenario at_a_glance(Scenario scenario) {
  scenario.run.min_replications = 1;
  scenario.run.max_replications = 1;
  scenario.run.brief = true;
  return scenario;
}

/// Whether it is slower and, where costs are known, dearer than another one by more than a glance can be wrong.
bool cannot_win(const AlternativeOutcome& glanced, const std::vector<ComparedAlternative>& rows) {
  const auto beaten = [](double value, double by) { return value > (1 + glance_margin) * by; };
  bool slower = false;
  bool dearer = !glanced.cost_usd_per_million_events;
  for (const ComparedAlternative& one : rows) {
    if (!one.outcome || one.outcome->unserved_share > 0.0) continue;
    const std::optional<double>& cost = one.outcome->cost_usd_per_million_events;
    slower = slower || beaten(glanced.event_time_s.mean, one.outcome->event_time_s.mean);
    dearer = dearer || (cost && beaten(*glanced.cost_usd_per_million_events, *cost));
  }
  return slower && dearer;
}

/// What all alternatives come to as they stand. Those that are far from the best are looked at but briefly, and say so.
void simulate_alternatives(std::vector<ComparedAlternative>& rows, const Evaluate& evaluate) {
  std::vector<ComparedAlternative*> wanted;
  for (ComparedAlternative& one : rows)
    if (one.scenario) wanted.push_back(&one);
  const auto simulate = [&](bool briefly) {
    std::vector<Scenario> scenarios;
    for (const ComparedAlternative* one : wanted)
      scenarios.push_back(briefly && may_be_glanced(*one) ? at_a_glance(*one->scenario) : *one->scenario);
    const std::vector<Results> summaries = evaluate(scenarios);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      wanted[i]->outcome = assess_alternative(*wanted[i]->scenario, summaries.at(i));
  };
  simulate(true);
  std::erase_if(wanted, [&](const ComparedAlternative* one) { return !may_be_glanced(*one); });
  for (ComparedAlternative* one : wanted)
    if (cannot_win(*one->outcome, rows))
      append_part(one->about.made_of, "simulated once and briefly, being far from the best", "; ");
  std::erase_if(wanted, [&](const ComparedAlternative* one) { return cannot_win(*one->outcome, rows); });
  if (!wanted.empty()) simulate(false);
}

}  // namespace

AlternativesComparison compare_alternatives(std::vector<ComparedAlternative> alternatives,
                                            std::optional<UsdPerHour> core_price, double least_difference,
                                            const Evaluate& evaluate) {
  AlternativesComparison comparison;
  comparison.alternatives = std::move(alternatives);
  for (ComparedAlternative& one : comparison.alternatives) {
    if (!one.scenario) continue;
    if (core_price) {
      one.scenario->costs.core = *core_price;
      one.scenario->costs.core_origin = {.date = "", .source = "--core-price"};
    }
    add_prices(*one.scenario, comparison);
  }
  simulate_alternatives(comparison.alternatives, evaluate);
  price_module_on_cpu(comparison.alternatives);
  add_break_evens(comparison, least_difference, evaluate);
  set_winners(comparison);
  return comparison;
}

}  // namespace saturn
