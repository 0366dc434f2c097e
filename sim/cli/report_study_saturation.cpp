#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "models/bounds.hpp"
#include "models/mva.hpp"
#include "scenarios/demands.hpp"
#include "sim/cli/report_study.hpp"
#include "sim/plan/mva_crossing.hpp"
#include "sim/plan/system_facts.hpp"

namespace saturn {

namespace {

constexpr std::size_t formula_samples = 72;
// Beyond this, mean value analysis would no longer be instant.
constexpr std::size_t most_mva_clients_of_curve = 20'000;
constexpr double most_mva_products_of_curve = 1e8;
// A curve's point need not be as precise as the scenario's own: it is read by eye.
constexpr double curve_precision = 0.01;
constexpr std::uint64_t curve_replications = 5;
// Above this and above twice the scenario's own number, no clients are simulated for a curve.
constexpr double most_simulated_clients = 20'000.0;
// Shares of the clients that saturate the first resource, dense round 1.
constexpr std::array shares_of_knee{0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0};
// Without such a number, shares of the scenario's own.
constexpr std::array shares_of_own{0.25, 0.5, 1.5, 2.0};

std::optional<double> knee_clients(const Bounds& bounds) {
  if (bounds.knees.empty() || !std::isfinite(bounds.knees.front().clients)) return std::nullopt;
  return bounds.knees.front().clients;
}

/// Numbers of clients to simulate but the scenario's own, each that of a scenario with whole jobs.
std::set<double> simulated_clients(const Scenario& scenario, const std::optional<double>& knee) {
  const double own = client_count(scenario);
  const double most = std::max(most_simulated_clients, 2.0 * own);
  std::set<double> clients;
  const auto add = [&](double wanted) {
    if (wanted > most || !(wanted > 0.0)) return;
    const double whole = client_count(with_clients(scenario, wanted));
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
  Scenario result = with_clients(scenario, clients);
  result.run.precision = std::max(result.run.precision, curve_precision);
  result.run.max_replications = std::min(result.run.max_replications, curve_replications);
  result.run.min_replications = std::min(result.run.min_replications, result.run.max_replications);
  return result;
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
      summaries = context.simulate(scenarios);
    } catch (const OutOfBudget&) {
      return;
    }
    for (std::size_t i = 0; i < summaries.size(); ++i)
      study.simulated.push_back(
          {.clients = order[begin + i], .summary = std::move(summaries[i]), .precision_reached = true});
  }
}

void add_formulas(SaturationStudy& study, const Scenario& scenario, double most) {
  const ClosedNetwork network = closed_network(scenario);
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
  study.facts = facts_of(scenario);
  study.knee = knee;
  study.tolerated_slowdown = context.question.slowdown;
  study.simulated.push_back({.clients = client_count(scenario),
                             .summary = own,
                             .precision_reached = own.relative_half_width <= scenario.run.precision});
  if (any_open(scenario)) return study;
  const std::optional<double> at = knee_clients(asymptotic_bounds(closed_network(scenario)));
  add_simulated(study, context, simulated_clients(scenario, at));
  std::sort(study.simulated.begin(), study.simulated.end(),
            [](const SimulatedLoad& a, const SimulatedLoad& b) { return a.clients < b.clients; });
  const auto is_own = [&](const SimulatedLoad& load) { return load.clients == client_count(scenario); };
  study.own = static_cast<std::size_t>(std::find_if(study.simulated.begin(), study.simulated.end(), is_own) -
                                       study.simulated.begin());
  const double most = std::max(study.simulated.back().clients, at && *at <= most_simulated_clients ? 2.0 * *at : 0.0);
  add_formulas(study, scenario, most);
  add_published_loads(study, context);
  return study;
}

}  // namespace saturn
