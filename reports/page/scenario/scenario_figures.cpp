#include "reports/page/scenario/scenario_figures.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

#include "reports/figures/figures.hpp"

namespace saturn {

namespace {

/// The figure of one study, where there is that study.
template <auto Study, auto Draw>
std::vector<Figure> drawn_from(const ScenarioStudies& studies) {
  const auto& studied = studies.*Study;
  if (!studied) return {};
  if constexpr (std::is_invocable_v<decltype(Draw), decltype(*studied)>) {
    return {Draw(*studied)};
  } else {
    return {Draw(*studied, {.scenario = studies.name, .seed = studies.provenance.seed})};
  }
}

/// A figure over loads, where the formulas have been asked over loads.
template <auto Draw>
std::vector<Figure> over_loads(const ScenarioStudies& studies) {
  if (!studies.saturation || studies.saturation->formulas.empty()) return {};
  return drawn_from<&ScenarioStudies::saturation, Draw>(studies);
}

/// A figure of simulated loads, where there are several.
template <auto Draw>
std::vector<Figure> over_runs(const ScenarioStudies& studies) {
  if (!studies.saturation || studies.saturation->simulated.size() < 2) return {};
  return drawn_from<&ScenarioStudies::saturation, Draw>(studies);
}

bool has_requests(const ScenarioStudies& studies) {
  return studies.saturation && !studies.saturation->simulated[studies.saturation->own].summary.models.empty();
}

std::vector<Figure> latencies(const ScenarioStudies& studies) {
  if (!has_requests(studies) || studies.saturation->simulated.size() < 2) return {};
  return {throughput_latency_figure(*studies.saturation, std::nullopt)};
}

/// Far past the plan a request only waits, and bars of waiting hide everything else.
SaturationStudy without_overload(SaturationStudy study) {
  constexpr double beyond_plan = 1.1;
  if (!study.knee || !std::isfinite(study.knee->mean) || !(study.facts.devices > 0.0)) return study;
  const double most = beyond_plan * study.knee->mean * study.facts.devices;
  const double own = study.simulated[study.own].clients;
  std::erase_if(study.simulated, [&](const SimulatedLoad& load) { return load.clients > most && load.clients != own; });
  study.own = static_cast<std::size_t>(std::find_if(study.simulated.begin(), study.simulated.end(),
                                                    [&](const SimulatedLoad& load) { return load.clients == own; }) -
                                       study.simulated.begin());
  return study;
}

std::vector<Figure> breakdowns(const ScenarioStudies& studies) {
  if (!has_requests(studies)) return {};
  const SaturationStudy study = without_overload(*studies.saturation);
  return study.simulated.size() < 2 ? std::vector<Figure>() : std::vector<Figure>{latency_breakdown_figure(study)};
}

std::vector<Figure> uses_of_resources(const ScenarioStudies& studies) {
  return studies.facts.knees.empty() ? std::vector<Figure>() : over_runs<resource_use_figure>(studies);
}

std::vector<Figure> sizes_of_batches(const ScenarioStudies& studies) {
  return has_requests(studies) ? drawn_from<&ScenarioStudies::saturation, batch_sizes_figure>(studies)
                               : std::vector<Figure>();
}

std::vector<Figure> map_of_field(const ScenarioStudies& studies) {
  if (!studies.field || !studies.field->why_no_map().empty()) return {};
  return {heat_map_figure(studies.field->map, {.scenario = studies.name, .seed = studies.provenance.seed})};
}

Figure cost_of_devices(const MoneyStudy& study, const FigureContext& context) {
  return cost_figure(study.cost, context);
}

std::vector<Figure> candidates_bought(const ScenarioStudies& studies) {
  if (!studies.money || !studies.money->candidates) return {};
  return {pareto_figure(*studies.money->candidates, {.scenario = studies.name, .seed = studies.provenance.seed})};
}

std::vector<Figure> winning_ways(const ScenarioStudies& studies) {
  if (!studies.ways || !studies.ways->winners) return {};
  return {break_even_figure(*studies.ways->winners, {.scenario = studies.name, .seed = studies.provenance.seed})};
}

std::vector<Figure> published_cases(const ScenarioStudies& studies) {
  std::vector<Figure> figures;
  if (!studies.measured) return figures;
  for (const ValidationCase& one : studies.measured->cases) {
    figures.push_back(validation_figure(one, {.scenario = studies.name, .seed = studies.provenance.seed}));
    if (studies.measured->cases.size() > 1) figures.back().name += "_" + one.about.id;
  }
  return figures;
}

using Studies = ScenarioStudies;

constexpr FigureRow figure_rows[] = {
    {"over_time", "over-time", drawn_from<&Studies::over_time, over_time_figure>},
    {"need", "need", drawn_from<&Studies::need, need_figure>},
    {"system", "system", drawn_from<&Studies::system, system_figure>},
    {"event_time", "streams", over_loads<event_time_figure>},
    {"throughput", "streams", over_loads<throughput_figure>},
    {"throughput_latency", "streams", latencies},
    {"loss", "arrivals", drawn_from<&Studies::arrivals, loss_figure>},
    {"latency_breakdown", "time", breakdowns},
    {"resource_use", "limits", uses_of_resources},
    {"heat_map", "field", map_of_field},
    {"cost", "cost", drawn_from<&Studies::money, cost_of_devices>},
    {"pareto", "ways", candidates_bought},
    {"break_even", "ways", winning_ways},
    {"tornado", "inputs", drawn_from<&Studies::sensitivity, tornado_figure>},
    {"validation", "measured", published_cases},
    {"batch_sizes", "one-run", sizes_of_batches},
    {"timeline", "one-run", drawn_from<&Studies::trace, timeline_figure>},
    {"gantt", "one-run", drawn_from<&Studies::close_up, gantt_figure>},
};

}  // namespace

std::span<const FigureRow> scenario_figures() {
  return figure_rows;
}

std::vector<Figure> figures_of(std::string_view section, const ScenarioStudies& studies) {
  std::vector<Figure> figures;
  for (const FigureRow& row : figure_rows) {
    if (row.section != section) continue;
    for (Figure& figure : row.draw(studies)) figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace saturn
