#include <algorithm>
#include <cmath>
#include <functional>

#include "models/values/units.hpp"
#include "models/words/quantities.hpp"
#include "reports/figures/axes/axis.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/spec_template.hpp"
#include "reports/words/number_text.hpp"

/// Event time and throughput against the number of clients.

namespace saturn {

namespace {

/// In the order of the template's legend.
enum SeriesPlace : std::size_t {
  bound_line,
  published_line,
  mva_line,
  simulation_line,
  tolerated_line,
  measured_points,
  aside_points,
  series_places
};

constexpr double few_per_second = 0.1;

/// What is drawn upwards.
struct CurveValue {
  std::string stem{};   ///< of its columns, "event_time"
  std::string words{};  ///< "event time"
  std::string unit{};   ///< of its columns, "s"
  double factor = 1.0;  ///< to that unit
  std::function<std::optional<double>(const FormulaLoad&, SeriesPlace)> of_formula{};
  std::function<std::optional<Estimate>(const SimulatedLoad&)> of_simulated{};
  std::function<std::optional<Estimate>(const PublishedLoad&)> of_measured{};
  std::optional<double> limit{};  ///< that is tolerated
  bool from_zero = false;         ///< its axis begins there
};

/// The rows of a curve, and of what they have.
struct CurveRows {
  LoadAxis axis{};
  TidyRows rows{};
  std::vector<std::string> series{};  ///< (series_places) words of the legend
  std::vector<double> every_load{};
  std::vector<double> drawn{};  ///< every end of an interval as well
  std::size_t points = 0;       ///< simulated and measured
  std::size_t intervals = 0;
  std::size_t simulated_intervals = 0;
  std::vector<bool> present = std::vector<bool>(series_places, false);
};

void add_row(CurveRows& curve, const CurveValue& what, const std::string& kind, SeriesPlace place,
             const std::string& label, double load, const Estimate& value) {
  // A number that nothing can draw is left out with its row: gaps of a line say the same.
  if (!std::isfinite(load) || !std::isfinite(value.mean)) return;
  const bool has_interval = std::isfinite(value.low) && std::isfinite(value.high) && value.low <= value.high;
  curve.rows.rows.push_back({kind,
                             curve.series[place],
                             label.empty() ? RowCell() : RowCell(label),
                             load,
                             {},
                             {},
                             value.mean * what.factor,
                             has_interval ? RowCell(value.low * what.factor) : RowCell(),
                             has_interval ? RowCell(value.high * what.factor) : RowCell()});
  curve.every_load.push_back(load);
  curve.drawn.push_back(value.mean * what.factor);
  if (has_interval) curve.drawn.insert(curve.drawn.end(), {value.low * what.factor, value.high * what.factor});
  if (kind == "simulation" || kind == "measurement") {
    ++curve.points;
    curve.intervals += has_interval ? 1U : 0U;
    curve.simulated_intervals += has_interval && kind == "simulation" ? 1U : 0U;
  }
  curve.present[place] = true;
}

Estimate bare(double value) {
  const double none = std::nan("");
  return {.mean = value, .low = none, .high = none};
}

void add_formulas(CurveRows& curve, const CurveValue& what, const SaturationStudy& study) {
  for (const SeriesPlace place : {bound_line, published_line, mva_line}) {
    for (const FormulaLoad& load : study.formulas) {
      const std::optional<double> value = what.of_formula(load, place);
      if (value) add_row(curve, what, "formula", place, "", curve.axis.of_streams(load.clients), bare(*value));
    }
  }
}

void add_points(CurveRows& curve, const CurveValue& what, const SaturationStudy& study) {
  for (const SimulatedLoad& load : study.simulated) {
    const std::optional<Estimate> value = what.of_simulated(load);
    const std::string label = load.precision_reached ? "" : "less precise than asked";
    if (value) add_row(curve, what, "simulation", simulation_line, label, curve.axis.of_streams(load.clients), *value);
  }
  for (const PublishedLoad& load : study.published) {
    const std::optional<Estimate> value = what.of_measured(load);
    if (value)
      add_row(curve, what, "measurement", load.counts ? measured_points : aside_points, load.label,
              load.streams_per_device, *value);
  }
}

/// The line of what is tolerated, over the whole width.
void add_limit(CurveRows& curve, const CurveValue& what) {
  if (!what.limit || curve.every_load.empty()) return;
  const auto [low, high] = std::minmax_element(curve.every_load.begin(), curve.every_load.end());
  const std::vector<double> ends{*low, *high};
  for (const double end : ends) add_row(curve, what, "tolerated", tolerated_line, "", end, bare(*what.limit));
}

/// The plan stands where the curves are, or not at all: far from them it would press them together.
bool add_plan(CurveRows& curve, const SaturationStudy& study) {
  const std::string label = plan_label(study, curve.axis);
  if (label.empty() || curve.every_load.empty()) return false;
  const auto ends = std::minmax_element(curve.every_load.begin(), curve.every_load.end());
  const double low = *ends.first;
  const double high = *ends.second;
  const Estimate& knee = *study.knee;
  if (knee.mean < low || knee.mean > high) return false;
  const auto within = [&](double end) { return std::isfinite(end) ? std::clamp(end, low, high) : knee.mean; };
  curve.rows.rows.push_back({"plan", {}, label, knee.mean, within(knee.low), within(knee.high), {}, {}, {}});
  return true;
}

CurveRows curve_rows(const SaturationStudy& study, const CurveValue& what) {
  CurveRows curve{.axis = load_axis(study.facts)};
  curve.rows.columns = {{.name = "kind"},
                        {.name = "series"},
                        {.name = "label"},
                        {.name = curve.axis.head},
                        {.name = curve.axis.low_head},
                        {.name = curve.axis.high_head},
                        {.name = what.stem, .unit = what.unit},
                        {.name = what.stem + "_low", .unit = what.unit},
                        {.name = what.stem + "_high", .unit = what.unit}};
  curve.series = {"bound",
                  "published formula",
                  study.mva_word.empty() ? "mean value analysis" : study.mva_word,
                  simulation_words(study),
                  percent_text(study.tolerated_slowdown) + " above unloaded",
                  "published measurements",
                  "published, not compared"};
  add_formulas(curve, what, study);
  add_points(curve, what, study);
  add_limit(curve, what);
  return curve;
}

std::map<std::string, std::string> words_of(const CurveRows& curve, const CurveValue& what) {
  const std::string unit = written_unit(what.unit);
  return {{"load", curve.axis.head},
          {"load_low", curve.axis.low_head},
          {"load_high", curve.axis.high_head},
          {"load words", curve.axis.title},
          {"value", curve.rows.columns[6].head()},
          {"value_low", curve.rows.columns[7].head()},
          {"value_high", curve.rows.columns[8].head()},
          {"value words", what.words + " [" + unit + "]"},
          {"from", "from [" + unit + "]"},
          {"to", "to [" + unit + "]"}};
}

/// Layers of the template that no row goes to.
std::vector<std::size_t> empty_layers(const CurveRows& curve, bool has_plan) {
  const bool has_formulas = curve.present[bound_line] || curve.present[published_line] || curve.present[mva_line] ||
                            curve.present[tolerated_line];
  const std::vector<bool> full{has_plan,
                               has_plan,
                               has_plan,
                               curve.present[bound_line],
                               curve.simulated_intervals > 1,
                               curve.present[simulation_line],
                               has_formulas,
                               curve.points > 0,
                               curve.intervals > 0};
  std::vector<std::size_t> empty;
  for (std::size_t layer = 0; layer < full.size(); ++layer)
    if (!full[layer]) empty.push_back(layer);
  return empty;
}

std::string curve_spec(const Figure& figure, const CurveRows& curve, const CurveValue& what, bool has_plan) {
  std::vector<SpecChange> changes{{"/title/text", figure.title},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}}};
  const std::vector<std::string> encodings{"/layer/6/encoding/", "/layer/7/encoding/"};
  const std::vector<double> loads = ends_from_zero(curve.every_load);
  const std::vector<double> one_value = ends_of_constant(curve.drawn);
  for (const std::string& encoding : encodings) {
    changes.push_back({encoding + "x/scale/domain", loads});
    if (what.from_zero) {
      changes.push_back({encoding + "y/scale/domain", ends_from_zero(curve.drawn)});
      changes.push_back({encoding + "y/scale/padding"});
    } else if (!one_value.empty()) {
      changes.push_back({encoding + "y/scale/domain", one_value});
    }
  }
  std::vector<std::size_t> absent;
  std::vector<std::string> present;
  for (std::size_t place = 0; place < series_places; ++place) {
    if (curve.present[place]) {
      present.push_back(curve.series[place]);
    } else {
      absent.push_back(place);
    }
  }
  for (const std::string& scale : {encodings[0] + "color/scale", encodings[0] + "strokeDash/scale",
                                   encodings[1] + "color/scale", encodings[1] + "shape/scale"}) {
    changes.push_back({scale + "/domain", present});
    take_away(changes, {scale + "/range"}, absent);
  }
  if (has_plan) {
    const auto& plan = curve.rows.rows.back();
    changes.push_back({"/layer/2/mark/align", text_alignment(std::get<double>(plan[3]), loads[0], loads[1])});
  }
  take_away(changes, {"/layer"}, empty_layers(curve, has_plan));
  return with_words(filled_spec("saturation_curve", changes), words_of(curve, what));
}

/// Whether the plan's interval is wide enough to be seen.
bool has_band(const SaturationStudy& study) {
  constexpr double seen = 2e-3;
  return study.knee && study.knee->high - study.knee->low > seen * study.knee->mean;
}

std::string caption_of(const SaturationStudy& study, const CurveRows& curve, const CurveValue& what, bool has_plan) {
  std::string text;
  const std::string& caveat = study.facts.bound_caveat;
  if (curve.present[bound_line])
    text += caveat.empty() ? "The bound is what no arrangement of waiting can beat. "
                           : "The bound is an average here, " + caveat + ". ";
  if (curve.present[simulation_line]) text += "Points are simulated, with their interval as bars and band. ";
  if (has_plan)
    text += "The rule is the plan's number within the tolerated slowdown of " + percent_text(study.tolerated_slowdown) +
            (has_band(study) ? ", the grey band its interval. " : ". ");
  if (!has_plan && study.knee) {
    const std::string label = plan_label(study, curve.axis);
    if (!label.empty()) text += "Outside what is drawn: " + label + ". ";
  }
  const bool measured = curve.present[measured_points] || curve.present[aside_points];
  if (measured && what.stem == "event_time" && !study.published_words.empty())
    text += "Measurements: " + study.published_words + ". ";
  if (measured && curve.intervals > curve.simulated_intervals)
    text += "Bars of published points are ± one standard error. ";
  if (!text.empty()) text.pop_back();
  return text;
}

Figure curve_figure(const SaturationStudy& study, const CurveValue& what, Figure figure) {
  CurveRows curve = curve_rows(study, what);
  figure.subtitle = figure_subtitle(study.scenario, study.seed);
  const bool has_plan = add_plan(curve, study);
  figure.caption = caption_of(study, curve, what, has_plan);
  if (study.facts.all_open) {
    figure.cannot = "Events reach every pool from outside, so that there is no number of jobs to draw against.";
  } else if (curve.every_load.empty()) {
    figure.cannot = "Neither a formula nor a simulated run gives " +
                    (what.stem == "event_time" ? std::string("an event time.") : "a rate of events.");
  } else {
    figure.spec = curve_spec(figure, curve, what, has_plan);
  }
  figure.rows = std::move(curve.rows);
  return figure;
}

/// The largest finite number that some method gives; 0: none does.
double largest_of_curve(const SaturationStudy& study, const CurveValue& what) {
  double most = 0.0;
  const auto see = [&](const std::optional<double>& value) {
    if (value && std::isfinite(*value)) most = std::max(most, *value);
  };
  for (const FormulaLoad& load : study.formulas)
    for (const SeriesPlace place : {bound_line, published_line, mva_line}) see(what.of_formula(load, place));
  for (const SimulatedLoad& load : study.simulated)
    if (const std::optional<Estimate> value = what.of_simulated(load)) see(value->mean);
  return most;
}

std::optional<double> event_time_of(const FormulaLoad& load, SeriesPlace place) {
  if (place == bound_line) return load.bound_event_time_s;
  return place == published_line ? load.published_event_time_s : load.mva_event_time_s;
}

std::optional<double> rate_of(const FormulaLoad& load, SeriesPlace place) {
  if (place == bound_line) return load.bound_events_per_s;
  return place == published_line ? load.published_events_per_s : load.mva_events_per_s;
}

std::string past_the_knee(const SaturationStudy& study) {
  if (!study.knee || !std::isfinite(study.knee->mean)) return "";
  return counted_load(plan_number(study.knee->mean), load_axis(study.facts));
}

/// "24 jobs per GPU", where the first resource saturates by the bounds: beyond it throughput cannot grow. Empty
/// where they are averages, beyond which it may.
std::string saturated_load(const SaturationStudy& study) {
  const SystemFacts& facts = study.facts;
  if (!facts.bound_caveat.empty() || facts.knees.empty() || !std::isfinite(facts.knees.front().jobs) ||
      facts.jobs <= 0.0)
    return "";
  const double clients = facts.knees.front().jobs * facts.clients / facts.jobs;
  return counted_load(plan_number(facts.devices > 0.0 ? clients / facts.devices : clients), load_axis(facts));
}

/// Whether the most loaded simulation stays within the tolerance although it is past the knee: what is too much there
/// is work that is refused, not time.
bool times_stay(const SaturationStudy& study, const CurveValue& what) {
  if (study.simulated.empty() || !study.knee || !what.limit) return false;
  const SimulatedLoad& most = study.simulated.back();
  const std::optional<Estimate> time = what.of_simulated(most);
  const double knee = study.knee->high * std::max(1.0, study.facts.devices);
  return time && most.clients > knee && time->high <= *what.limit;
}

}  // namespace

Figure event_time_figure(const SaturationStudy& study) {
  CurveValue what{.stem = "event_time",
                  .words = "event time",
                  .of_formula = event_time_of,
                  .of_simulated = [](const SimulatedLoad& load) -> std::optional<Estimate> {
                    if (!has_times(load)) return std::nullopt;
                    return load.summary.all_jobs["event_time_s"];
                  },
                  .of_measured = [](const PublishedLoad& load) -> std::optional<Estimate> {
                    if (!load.event_time_s) return std::nullopt;
                    if (!load.event_time_sem_s) return bare(*load.event_time_s);
                    return Estimate{.mean = *load.event_time_s,
                                    .low = *load.event_time_s - *load.event_time_sem_s,
                                    .high = *load.event_time_s + *load.event_time_sem_s};
                  }};
  if (study.facts.ideal_event_time_s > 0.0 && std::isfinite(study.tolerated_slowdown))
    what.limit = study.facts.ideal_event_time_s * (1.0 + study.tolerated_slowdown);
  const ShownUnit unit = shown_unit(largest_of_curve(study, what), "s");
  what.unit = unit.name;
  what.factor = unit.factor;
  const std::string knee = times_stay(study, what) ? "" : past_the_knee(study);
  return curve_figure(
      study, what,
      {.name = "event_time",
       .title = knee.empty() ? "Event time against " + load_axis(study.facts).title : "Event time grows past " + knee});
}

Figure throughput_figure(const SaturationStudy& study) {
  CurveValue what{.stem = "events",
                  .words = "throughput, events",
                  .unit = "per_s",
                  .of_formula = rate_of,
                  .of_simulated = [](const SimulatedLoad& load) -> std::optional<Estimate> {
                    return load.summary.all_jobs["events_per_s"];
                  },
                  .of_measured = [](const PublishedLoad& load) -> std::optional<Estimate> {
                    if (!load.events_per_s) return std::nullopt;
                    return bare(*load.events_per_s);
                  },
                  .from_zero = true};
  if (largest_of_curve(study, what) < few_per_second) {
    what.unit = "per_h";
    what.factor = seconds_per_hour;
  }
  const std::string saturated = saturated_load(study);
  return curve_figure(study, what,
                      {.name = "throughput",
                       .title = saturated.empty() ? "Throughput against " + load_axis(study.facts).title
                                                  : "By the bounds, throughput saturates at " + saturated});
}

}  // namespace saturn
