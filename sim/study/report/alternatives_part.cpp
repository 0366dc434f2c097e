#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/plan/comparison/alternatives.hpp"
#include "sim/plan/costs/purchase_terms.hpp"
#include "sim/plan/search/figures_by_bound.hpp"
#include "sim/formula/system_facts.hpp"
#include "sim/study/report/batch_distance_map.hpp"
#include "sim/study/report/report_parts.hpp"

namespace saturn {

namespace {

constexpr double close_enough = 0.01;
// How far the map goes beyond the jobs that are there, and beyond those that saturate the first resource.
constexpr double load_beyond = 4.0;

ComparedAlternative read_way(Alternative alternative, const StudyContext& context) {
  // Break-evens are drawn by formula over two inputs; the simulated ones along one are the business of compare.
  alternative.service = false;
  if (!alternative.why_not.empty()) return {.about = std::move(alternative), .scenario = {}};
  try {
    Scenario scenario =
        alternative.cpu_only ? cpu_only_scenario(context.scenario()) : context.read.again(alternative.settings);
    return {.about = std::move(alternative), .scenario = std::move(scenario)};
  } catch (const InputError& error) {
    alternative.why_not = error.complaints().front().text;
    return {.about = std::move(alternative), .scenario = {}};
  }
}

/// A way at each round trip, or at any where it does not depend on it.
struct MappedWay {
  std::vector<Scenario> scenarios{};  ///< (round trips), or one
  std::vector<ClosedNetwork> networks{};
  bool per_job = false;

  /// What is compared: cost of a million events [USD], or the event time [s].
  double value(std::size_t ix, double clients, bool by_cost) const {
    const std::size_t i = std::min(ix, networks.size() - 1);
    const Bounds bounds = asymptotic_bounds(per_job ? networks[i] : with_clients(networks[i], clients));
    if (!by_cost) return bounds.event_time_s;
    const Scenario& scenario = scenarios[i];
    const Expenses expenses = compute_expenses(per_job ? scenario : with_streams(scenario, clients), {});
    return expenses.usd_per_million(bounds.events_per_s).value_or(std::numeric_limits<double>::infinity());
  }
};

MappedWay mapped(const ComparedAlternative& way, bool far, const MapAxis& round_trips) {
  MappedWay result{.per_job = way.about.per_job};
  if (far) {
    for (const double seconds : round_trips.values) result.scenarios.push_back(with_round_trip(*way.scenario, seconds));
  } else {
    result.scenarios.push_back(*way.scenario);
  }
  for (const Scenario& scenario : result.scenarios) result.networks.push_back(closed_network(scenario));
  return result;
}

/// Hardware that grows with the jobs is never slower: only what it costs decides, if all parts have a price.
bool all_priced(const std::vector<ComparedAlternative>& ways) {
  return std::all_of(ways.begin(), ways.end(), [](const ComparedAlternative& way) {
    return !way.scenario || (way.scenario->costs.core && compute_expenses(*way.scenario, {}).rent_usd_per_h());
  });
}

WinnerCell compared(const std::vector<MappedWay>& ways, std::size_t ix, double clients, bool by_cost) {
  std::vector<std::optional<double>> values;
  values.reserve(ways.size());
  for (const MappedWay& way : ways) values.emplace_back(way.value(ix, clients, by_cost));
  return winner_cell(std::move(values), close_enough);
}

MapAxis load_axis_of(const Scenario& scenario) {
  const auto devices = static_cast<double>(device_count(scenario));
  const double present = stream_count(scenario) / devices;
  const Bounds bounds = asymptotic_bounds(closed_network(scenario));
  double most = present;
  if (!bounds.knees.empty() && std::isfinite(bounds.knees.front().clients))
    most = std::clamp(bounds.knees.front().clients / devices, present, 64.0 * present);
  MapAxis axis{.title = stream_word_of(scenario) + "s per " + device_word_of(scenario), .unit = "", .present = present};
  axis.values = geometric_values(present, std::max(1.0 / devices, present / 16.0), load_beyond * most, std::sqrt(2.0));
  return axis;
}

/// @param service  index of the way whose distance is varied
Studied<WinnerMap> winner_map(const StudyContext& context, const std::vector<ComparedAlternative>& ways,
                              std::size_t service) {
  const Scenario& scenario = context.scenario();
  const bool by_cost = all_priced(ways);
  WinnerMap map{.value_title = by_cost ? "cost of a million events" : "event time",
                .value_unit = by_cost ? "USD" : "s",
                .method = "by the bounds",
                .close_within = close_enough,
                .note = "Upwards more jobs share the " +
                        counted(static_cast<double>(device_count(scenario)), device_word_of(scenario)) +
                        " of a service; devices in worker nodes grow with the jobs."};
  map.x = round_trip_axis(scenario);
  if (map.x.values.empty())
    return {.study = {}, .why_not = "Jobs and servers share a site, so that no distance can be varied."};
  map.y = load_axis_of(scenario);
  std::vector<MappedWay> mapped_ways;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (!ways[i].scenario) continue;
    map.alternatives.push_back(ways[i].about.name);
    mapped_ways.push_back(mapped(ways[i], i == service, map.x));
  }
  if (map.alternatives.size() < 2)
    return {.study = {}, .why_not = "There is nothing to compare: only one of the alternatives can be made."};
  const auto devices = static_cast<double>(device_count(scenario));
  for (const double clients : map.y.values)
    for (std::size_t ix = 0; ix < map.x.size(); ++ix) {
      if (context.is_over()) throw OutOfBudget();
      map.cells.push_back(compared(mapped_ways, ix, clients * devices, by_cost));
    }
  return {.study = std::move(map), .why_not = ""};
}

}  // namespace

Studied<WaysStudy> ways_study(const StudyContext& context) {
  const Scenario& scenario = context.scenario();
  if (any_open(scenario) || scenario.servers.empty()) return {};
  std::vector<ComparedAlternative> ways;
  std::size_t service = 0;
  for (Alternative& one : alternatives(scenario, {})) {
    if (one.service) service = ways.size();
    ways.push_back(read_way(std::move(one), context));
  }
  const auto made = std::count_if(ways.begin(), ways.end(), [](const auto& way) { return way.scenario.has_value(); });
  if (made < 2) {
    std::string why = "Nothing to compare with:";
    for (const ComparedAlternative& way : ways)
      if (!way.scenario) why += " " + way.about.name + ": " + way.about.why_not + ".";
    return {.study = {}, .why_not = why};
  }
  WaysStudy study;
  Studied<WinnerMap> winners = winner_map(context, ways, service);
  study.winners = std::move(winners.study);
  study.why_no_winners = std::move(winners.why_not);
  study.comparison = compare_alternatives(ways, std::nullopt, context.evaluator());
  return {.study = std::move(study), .why_not = ""};
}

}  // namespace saturn
