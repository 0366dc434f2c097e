#include "reports/figures/swept/sweep_maps.hpp"

#include <algorithm>
#include <cmath>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/swept_number.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t longest_why = 200;
constexpr std::size_t most_models_of_breakdown = 2;

const SweepMetric* metric_called(const SweepRow& row, const std::string& stem) {
  for (const SweepMetric& metric : row.result.answer.metrics)
    if (metric.stem == stem && std::isfinite(metric.mean)) return &metric;
  return nullptr;
}

/// "models.emtrk." of every model with a latency, at most so many.
std::vector<std::string> model_stems(const SweepRow& row) {
  constexpr std::string_view ending = ".latency";
  std::vector<std::string> stems;
  for (const SweepMetric& metric : row.result.answer.metrics) {
    if (stems.size() == most_models_of_breakdown) break;
    if (metric.stem.starts_with("models.") && metric.stem.ends_with(ending))
      stems.push_back(metric.stem.substr(0, metric.stem.size() - ending.size() + 1));
  }
  return stems;
}

/// A point says how long requests wait and are computed; the rest of their latency is the way there and back.
std::vector<NamedTime> request_parts(const SweepRow& row) {
  std::vector<NamedTime> parts;
  for (const std::string& stem : model_stems(row)) {
    const SweepMetric* latency = metric_called(row, stem + "latency");
    const SweepMetric* queue = metric_called(row, stem + "queue");
    const SweepMetric* compute = metric_called(row, stem + "compute");
    if (latency == nullptr || queue == nullptr || compute == nullptr) continue;
    const std::string of = " of " + stem.substr(7, stem.size() - 8);
    parts.push_back(
        {.name = "network and host" + of, .seconds = std::max(0.0, latency->mean - queue->mean - compute->mean)});
    parts.push_back({.name = "queue" + of, .seconds = queue->mean});
    parts.push_back({.name = "compute" + of, .seconds = compute->mean});
  }
  return parts;
}

std::optional<double> scaled_bound(const std::optional<double>& bound, double factor) {
  return bound ? std::optional(*bound * factor) : std::nullopt;
}

/// From the unit of the sweep to that of its map: shares are drawn as percentages.
double map_factor(const HeatGrids& grids) {
  constexpr double percent = 100.0;
  return is_share(*grids.view.metric) ? percent : 1.0;
}

std::string map_unit(const ShownMetric& metric) {
  if (is_share(metric)) return "%";
  return metric.unit == "usd" ? "USD" : metric.unit;
}

/// The points along a curve, those without a value as breaks in it. What is no point of the sweep is none of the curve.
class CurveBuilder {
 public:
  explicit CurveBuilder(double factor) : factor_(factor) {}

  void add(double x, const HeatCell* cell) {
    if (cell == nullptr) return;
    CurveSample sample{.x = x};
    if (cell->metric != nullptr) {
      sample.y = cell->metric->mean * factor_;
      sample.low = scaled_bound(cell->metric->low, factor_);
      sample.high = scaled_bound(cell->metric->high, factor_);
      has_value_ = true;
    }
    curve_.push_back(sample);
  }

  /// Empty where no point has a value.
  std::vector<CurveSample> curve() const { return has_value_ ? curve_ : std::vector<CurveSample>(); }

 private:
  double factor_;
  std::vector<CurveSample> curve_{};
  bool has_value_ = false;
};

/// The column of a third axis that the curves of cells run over; nothing where there is none, or several.
std::optional<std::size_t> third_column(const SweepTable& table, const HeatGrids& grids) {
  if (grids.view.split.size() != 1 || grids.combinations < 2) return std::nullopt;
  const std::size_t column = grids.view.split.front();
  if (!is_numeric(shown_axis(table, grids.view.rows, column))) return std::nullopt;
  return column;
}

std::vector<CurveSample> curve_through_maps(const HeatGrids& grids, std::size_t column, std::size_t x, std::size_t y) {
  CurveBuilder builder(map_factor(grids));
  for (const HeatGrid& grid : grids.grids)
    if (const HeatCell* cell = grids.at(grid, x, y)) builder.add(*cell->row->cells.at(column).number, cell);
  return builder.curve();
}

std::vector<CurveSample> curve_along_x(const HeatGrids& grids, const HeatGrid& grid, std::size_t y) {
  CurveBuilder builder(map_factor(grids));
  for (std::size_t x = 0; x < grids.x->values.size(); ++x)
    builder.add(*grids.x->values[x].number, grids.at(grid, x, y));
  return builder.curve();
}

std::vector<CurveSample> curve_along_y(const HeatGrids& grids, const HeatGrid& grid, std::size_t x) {
  CurveBuilder builder(map_factor(grids));
  for (std::size_t y = 0; y < grids.y->values.size(); ++y)
    builder.add(*grids.y->values[y].number, grids.at(grid, x, y));
  return builder.curve();
}

void name_curves(FieldMap& map, const AxisColumn& column) {
  map.curve_x_title = axis_title(column.name);
  map.curve_x_unit = column.unit;
  map.curve_y_title = map.value_title;
  map.curve_y_unit = map.value_unit;
}

void add_curves(FieldMap& map, const SweepTable& table, const HeatGrids& grids, const HeatGrid& grid) {
  const std::optional<std::size_t> third = third_column(table, grids);
  // The axis with more values makes the curve that says more.
  const bool upwards =
      is_numeric(*grids.y) && (grids.y->values.size() > grids.x->values.size() || !is_numeric(*grids.x));
  if (!third && !upwards && !is_numeric(*grids.x)) return;
  for (std::size_t y = 0; y < map.y.size(); ++y)
    for (std::size_t x = 0; x < map.x.size(); ++x)
      map.cells[y * map.x.size() + x].curve = third     ? curve_through_maps(grids, *third, x, y)
                                              : upwards ? curve_along_y(grids, grid, x)
                                                        : curve_along_x(grids, grid, y);
  name_curves(map, table.axes[third ? *third : upwards ? *grids.view.y : *grids.view.x]);
}

MapCell map_cell(const HeatCell* cell, const MapDetail& detail, double factor) {
  if (cell == nullptr || cell->metric == nullptr) return {.why_not = why_no_value(cell)};
  MapCell mapped{.value = cell->metric->mean * factor};
  if (detail.intervals) {
    mapped.low = scaled_bound(cell->metric->low, factor);
    mapped.high = scaled_bound(cell->metric->high, factor);
  }
  if (detail.breakdown) mapped.breakdown = request_parts(*cell->row);
  return mapped;
}

}  // namespace

bool is_numeric(const ShownAxis& axis) {
  const auto same = [](const AxisCell& a, const AxisCell& b) { return *a.number == *b.number; };
  return std::all_of(axis.values.begin(), axis.values.end(),
                     [](const AxisCell& cell) { return cell.number && std::isfinite(*cell.number); }) &&
         std::adjacent_find(axis.values.begin(), axis.values.end(), same) == axis.values.end();
}

MapAxis map_axis(const SweepTable& table, const ShownAxis& axis, std::size_t column) {
  MapAxis mapped{.title = axis_title(axis.name), .unit = table.axes.at(column).unit};
  if (is_numeric(axis)) {
    for (const AxisCell& cell : axis.values) mapped.values.push_back(*cell.number);
  } else {
    mapped.unit = axis.unit;
    mapped.words = axis.labels;
  }
  return mapped;
}

std::string why_no_value(const HeatCell* cell) {
  if (cell == nullptr) return "not part of the sweep";
  if (cell->kind == HeatCell::Kind::missing) return "not computed yet";
  if (cell->kind != HeatCell::Kind::failed) return "the point has no such value";
  const PointResult& result = cell->row->result;
  const std::string kind = result.failure.empty() ? "failed" : result.failure;
  return terminal_text(kind + (result.reason.empty() ? "" : ": " + result.reason), longest_why);
}

FieldMap sweep_map(const SweepTable& table, const HeatGrids& grids, const HeatGrid& grid, const MapDetail& detail) {
  const ShownMetric& metric = *grids.view.metric;
  FieldMap map{.value_title = metric_title(metric.stem),
               .value_unit = map_unit(metric),
               .method = std::string(table.answer.starts_with("plan") ? "planned"
                                     : table.is_simulated()           ? "simulated"
                                                                      : "by formulas") +
                         " at every point",
               .x = map_axis(table, *grids.x, *grids.view.x),
               .y = map_axis(table, *grids.y, *grids.view.y)};
  map.cells.reserve(map.x.size() * map.y.size());
  for (std::size_t y = 0; y < map.y.size(); ++y)
    for (std::size_t x = 0; x < map.x.size(); ++x)
      map.cells.push_back(map_cell(grids.at(grid, x, y), detail, map_factor(grids)));
  if (detail.curves) add_curves(map, table, grids, grid);
  return map;
}

}  // namespace saturn
