#include <algorithm>
#include <cmath>

#include "models/values/units.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/axis.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/spec_template.hpp"
#include "reports/tables/text_plot.hpp"
#include "reports/words/escaped_text.hpp"

namespace saturn {

namespace {

constexpr double plot_width_px = 540.0;
constexpr double plot_height_px = 290.0;
constexpr double label_width_px = 38.0;
constexpr double label_height_px = 20.0;
constexpr double label_begin_px = 2.0;
constexpr double least_rate_per_s = 0.1;
constexpr std::size_t longest_answering_model = 30;

/// One load, in the units that are shown.
struct LatencyPoint {
  double load = 0.0;
  double rate = 0.0;
  Estimate mean{};
  Estimate p99{};
};

/// The model whose requests are most in flight at the scenario's own load; empty: there are no requests.
std::string busiest_model(const SaturationStudy& study) {
  std::string busiest;
  if (study.own >= study.simulated.size()) return busiest;
  double most = 0.0;
  for (const ModelResults& model : study.simulated[study.own].summary.models) {
    const double in_flight = model["requests_per_s"].mean * model["latency_s"].mean;
    if (!(in_flight > most)) continue;
    most = in_flight;
    busiest = model.name;
  }
  return busiest;
}

std::vector<LatencyPoint> rate_points(const SaturationStudy& study, const std::string& name) {
  const LoadAxis axis = load_axis(study.facts);
  std::vector<LatencyPoint> points;
  for (const SimulatedLoad& load : study.simulated) {
    if (!has_times(load)) continue;
    for (const ModelResults& model : load.summary.models) {
      const double rate = model["requests_per_s"].mean;
      if (model.name != name || !std::isfinite(rate) || !std::isfinite(model["latency_s"].mean)) continue;
      points.push_back({.load = axis.of_streams(load.clients),
                        .rate = rate,
                        .mean = model["latency_s"],
                        .p99 = model["latency_p99_s"]});
    }
  }
  return points;
}

struct PixelPlace {
  double x = 0.0;
  double y = 0.0;  ///< upwards
};

/// Where marks are drawn, roughly.
std::vector<PixelPlace> mark_places(const std::vector<LatencyPoint>& points, bool of_p99, bool logarithmic) {
  double most_rate = 0.0;
  double least_time = points.front().mean.mean;
  double most_time = least_time;
  for (const LatencyPoint& point : points) {
    most_rate = std::max(most_rate, point.rate);
    for (const double time : {point.mean.mean, point.p99.mean}) {
      if (!std::isfinite(time)) continue;
      least_time = std::min(least_time, time);
      most_time = std::max(most_time, time);
    }
  }
  const auto upwards = [&](double time) { return logarithmic ? std::log(time) : time; };
  const double rates = std::max(most_rate, 1e-300);
  const double times = std::max(upwards(most_time) - upwards(least_time), 1e-300);
  std::vector<PixelPlace> places;
  for (const LatencyPoint& point : points) {
    const double time = of_p99 ? point.p99.mean : point.mean.mean;
    if (!std::isfinite(time)) continue;
    places.push_back(
        {.x = plot_width_px * point.rate / rates, .y = plot_height_px * (upwards(time) - upwards(least_time)) / times});
  }
  return places;
}

/// Which points have room for their number of clients below them, on the right: past saturation they crowd.
std::vector<bool> labelled(const std::vector<LatencyPoint>& points, bool logarithmic) {
  const std::vector<PixelPlace> means = mark_places(points, false, logarithmic);
  std::vector<PixelPlace> marks = mark_places(points, true, logarithmic);
  marks.insert(marks.end(), means.begin(), means.end());
  std::vector<bool> labels(points.size(), false);
  std::vector<PixelPlace> taken;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PixelPlace& own = means[i];
    const bool over_label = std::any_of(taken.begin(), taken.end(), [&](const PixelPlace& other) {
      return std::abs(other.x - own.x) < label_width_px && std::abs(other.y - own.y) < label_height_px;
    });
    const bool over_mark = std::any_of(marks.begin(), marks.end(), [&](const PixelPlace& mark) {
      const double right = mark.x - own.x;
      const double below = own.y - mark.y;
      return right > label_begin_px && right < label_width_px && below > label_begin_px && below < label_height_px;
    });
    labels[i] = !over_label && !over_mark;
    if (labels[i]) taken.push_back(own);
  }
  return labels;
}

struct ShownRates {
  ShownUnit time{};
  std::string rate_unit = "per_s";
  double rate_factor = 1.0;
};

ShownRates shown_units(const std::vector<LatencyPoint>& points) {
  double most_time = 0.0;
  double most_rate = 0.0;
  for (const LatencyPoint& point : points) {
    most_time = std::max(most_time, point.mean.mean);
    most_rate = std::max(most_rate, point.rate);
  }
  ShownRates shown{.time = shown_unit(most_time, "s")};
  if (most_rate < least_rate_per_s) {
    shown.rate_unit = "per_h";
    shown.rate_factor = seconds_per_hour;
  }
  return shown;
}

std::vector<RowCell> simulated_row(const LatencyPoint& point, const char* series, const Estimate& time,
                                   const std::string& label, const ShownRates& shown) {
  // No latency is below nothing, whatever an interval of few replications says; that of one is unknown, and not drawn.
  const double low = std::isfinite(time.low) ? std::max(time.low, 0.0) : time.low;
  return {"simulation",
          series,
          label.empty() ? RowCell() : RowCell(label),
          point.load,
          point.rate * shown.rate_factor,
          number_cell(time.mean * shown.time.factor),
          number_cell(low * shown.time.factor),
          number_cell(time.high * shown.time.factor)};
}

bool spans_much(const std::vector<LatencyPoint>& points, std::optional<double> limit_s) {
  std::vector<double> times;
  if (limit_s) times.push_back(*limit_s);
  for (const LatencyPoint& point : points) {
    times.push_back(point.mean.mean);
    if (std::isfinite(point.p99.mean)) times.push_back(point.p99.mean);
    // An interval below zero cannot be drawn on a logarithmic axis.
    if (std::isfinite(point.mean.low)) times.push_back(point.mean.low);
    if (std::isfinite(point.p99.low)) times.push_back(point.p99.low);
  }
  return better_logarithmic(times);
}

void add_rate_rows(TidyRows& rows, const std::vector<LatencyPoint>& points, const ShownRates& shown, bool logarithmic) {
  const std::vector<bool> has_label = labelled(points, logarithmic);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const LatencyPoint& point = points[i];
    rows.rows.push_back(
        simulated_row(point, "mean", point.mean, has_label[i] ? compact_number(point.load, 3) : "", shown));
    rows.rows.push_back(simulated_row(point, "99th percentile", point.p99, "", shown));
  }
}

std::map<std::string, std::string> axis_words(const LoadAxis& axis, const ShownRates& shown, const std::string& model) {
  const std::string unit = "_" + shown.time.name;
  return {{"load", axis.head},
          {"load words", axis.title},
          {"rate", "requests_" + shown.rate_unit},
          {"rate words", tooltip_title("requests of " + model + " [" + written_unit(shown.rate_unit) + "]")},
          {"time", "time" + unit},
          {"time_low", "time_low" + unit},
          {"time_high", "time_high" + unit},
          {"time words", tooltip_title("latency of " + model + " [" + shown.time.name + "]")},
          {"from", "from [" + shown.time.name + "]"},
          {"to", "to [" + shown.time.name + "]"}};
}

/// "emtrk answers in 2.3 s at 1.2 requests/s, in 40 s at 6.6 requests/s"
std::string answers_title(const std::string& model, const std::vector<LatencyPoint>& points, const ShownRates& shown) {
  const auto [few, many] =
      std::minmax_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.load < b.load; });
  const auto at = [&](const LatencyPoint& point) {
    return with_unit(compact_number(point.mean.mean * shown.time.factor, 3), shown.time.name) + " at " +
           compact_number(point.rate * shown.rate_factor, 3) +
           (shown.rate_factor == 1.0 ? " requests/s" : " requests/h");
  };
  const std::string title = model + " answers in " + at(*few);
  return points.size() < 2 ? title : title + ", in " + at(*many);
}

}  // namespace

Figure throughput_latency_figure(const SaturationStudy& study, std::optional<double> latency_limit_s) {
  const LoadAxis axis = load_axis(study.facts);
  const std::string model = busiest_model(study);
  const std::string shown_model = terminal_text(model, longest_answering_model);
  const std::optional<double> limit_s =
      latency_limit_s && std::isfinite(*latency_limit_s) && *latency_limit_s > 0.0 ? latency_limit_s : std::nullopt;
  Figure figure{.name = "throughput_latency",
                .title = "Latency of requests against their rate",
                .subtitle = figure_subtitle(study.scenario, study.seed)};
  const std::vector<LatencyPoint> points = rate_points(study, model);
  const ShownRates shown = shown_units(points);
  figure.rows.columns = {{.name = "kind"},
                         {.name = "series"},
                         {.name = "label"},
                         {.name = axis.head},
                         {.name = "requests", .unit = shown.rate_unit},
                         {.name = "time", .unit = shown.time.name},
                         {.name = "time_low", .unit = shown.time.name},
                         {.name = "time_high", .unit = shown.time.name}};
  if (points.empty()) {
    figure.cannot = "No simulated run has both a rate and a latency of requests.";
    return figure;
  }
  figure.title = answers_title(shown_model, points, shown);
  const bool logarithmic = spans_much(points, limit_s);
  add_rate_rows(figure.rows, points, shown, logarithmic);
  std::vector<SpecChange> changes{{"/title/text", wrapped(figure.title, title_letters)},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}}};
  std::vector<double> rates;
  for (const LatencyPoint& point : points) rates.push_back(point.rate * shown.rate_factor);
  changes.push_back({"/layer/2/encoding/x/scale/domain", ends_from_zero(rates)});
  if (logarithmic) make_logarithmic(changes, "/layer/2/encoding/y");
  if (limit_s) {
    const std::string limit_words =
        "limit: " + with_unit(compact_number(*limit_s * shown.time.factor, 4), shown.time.name);
    figure.rows.rows.push_back({"limit", {}, limit_words, {}, {}, *limit_s * shown.time.factor, {}, {}});
  } else {
    take_away(changes, {"/layer"}, {0, 1});
  }
  figure.caption = "Simulated, points labelled with their " + axis.title + " where there is room; bars are intervals.";
  if (study.simulated[study.own].summary.models.size() > 1)
    figure.caption += " Of the models " + shown_model + " has most requests in flight.";
  figure.spec = with_words(filled_spec("throughput_latency", changes), axis_words(axis, shown, shown_model));
  return figure;
}

}  // namespace saturn
