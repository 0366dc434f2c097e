#include "reports/page/sweep/sweep_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/figures/axes/swept_number.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/figures/swept/sweep_lines.hpp"
#include "reports/figures/swept/sweep_maps.hpp"
#include "reports/sweep/heat_map.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "reports/words/number_text.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// How the points of a sweep lie, which decides what is drawn of them.
struct SweepShape {
  enum class Kind {
    nothing,  ///< no metric, or a single point
    lines,    ///< one axis
    maps,     ///< a grid of two axes
    samples,  ///< points that are no grid, or too many for a map
  };
  Kind kind = Kind::nothing;
  std::size_t x_values = 1;
  std::size_t y_values = 1;
  std::optional<std::size_t> long_axis{};  ///< the one of x and y that lines go over: numbers before words, then more
  bool long_is_numeric = false;
  std::size_t short_values = 1;      ///< of the other one
  std::vector<std::size_t> along{};  ///< columns whose values follow from the drawn ones
  bool too_large = false;            ///< a grid with more cells than a page should hold
};

namespace {

constexpr std::size_t largest_map = 20'000;
/// A grid with conditions has gaps; samples of two axes fill hardly any of its cells.
constexpr double least_filled = 0.3;

std::size_t filled_cells(const ResolvedView& view, const ShownAxis& x, const ShownAxis& y) {
  std::set<std::pair<std::size_t, std::size_t>> cells;
  for (const SweepRow* row : view.rows)
    cells.emplace(x.place_of(row->cells.at(*view.x)), y.place_of(row->cells.at(*view.y)));
  return cells.size();
}

/// Zipped axes rise or fall together; samples do not.
bool runs_up_or_down(const ResolvedView& view, const ShownAxis& x, std::size_t column) {
  std::vector<std::pair<std::size_t, double>> pairs;
  for (const SweepRow* row : view.rows) {
    const AxisCell& cell = row->cells.at(column);
    if (!cell.number) return true;
    pairs.emplace_back(x.place_of(row->cells.at(*view.x)), *cell.number);
  }
  std::sort(pairs.begin(), pairs.end());
  const auto second = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::is_sorted(pairs.begin(), pairs.end(), second) || std::is_sorted(pairs.rbegin(), pairs.rend(), second);
}

void shape_of_line(SweepShape& shape, const ResolvedView& view, const ShownAxis& x) {
  shape.kind = SweepShape::Kind::lines;
  shape.long_axis = view.x;
  shape.long_is_numeric = is_numeric(x);
  const bool sampled = std::any_of(view.along.begin(), view.along.end(),
                                   [&](std::size_t column) { return !runs_up_or_down(view, x, column); });
  if (sampled && shape.long_is_numeric) {
    shape.kind = SweepShape::Kind::samples;
    shape.along.clear();
  }
}

}  // namespace

SweepShape shape_of(const SweepTable& table, const ResolvedView& view) {
  SweepShape shape{.along = view.along};
  if (!view.metric || !view.x) return shape;
  const ShownAxis x = shown_axis(table, view.rows, *view.x);
  shape.x_values = x.values.size();
  if (!view.y) {
    shape_of_line(shape, view, x);
    return shape;
  }
  const ShownAxis y = shown_axis(table, view.rows, *view.y);
  shape.y_values = y.values.size();
  const std::size_t cells = shape.x_values * shape.y_values;
  shape.too_large = cells > largest_map;
  const bool sparse = static_cast<double>(filled_cells(view, x, y)) < least_filled * static_cast<double>(cells);
  shape.kind = sparse || shape.too_large ? SweepShape::Kind::samples : SweepShape::Kind::maps;
  const bool over_x = is_numeric(x) != is_numeric(y) ? is_numeric(x) : shape.x_values >= shape.y_values;
  shape.long_axis = over_x ? view.x : view.y;
  shape.long_is_numeric = is_numeric(over_x ? x : y);
  shape.short_values = over_x ? shape.y_values : shape.x_values;
  if (shape.kind == SweepShape::Kind::samples) shape.along.clear();
  return shape;
}

namespace {

constexpr std::size_t most_maps_of_chosen = 9;
/// A cell costs some 100 bytes of the page.
constexpr std::size_t most_cells_drawn = 20'000;
constexpr std::size_t most_cells_with_intervals = 2'500;
constexpr std::size_t most_cells_linked = 10'000;
constexpr std::size_t most_curve_samples = 20'000;
/// An axis of so few values reads better as lines than as a map.
constexpr std::size_t few_lines = 4;
constexpr std::size_t most_scatter_plots = 6;

/// The word that all points answer with; nothing where they differ, or one has none.
const std::string* only_word(const ResolvedView& view, const ShownMetric& metric) {
  const std::string* only = nullptr;
  for (const SweepRow* row : view.rows) {
    const std::string* word = word_at(*row, metric);
    if (word == nullptr || (only != nullptr && *word != *only)) return nullptr;
    only = word;
  }
  return only;
}

/// What is being drawn, and into what.
class SweepPainter {
 public:
  SweepPainter(const SweepTable& table, SweepView view, const ResolvedView& resolved, const FigureContext& context)
      : table_(table),
        view_(std::move(view)),
        resolved_(resolved),
        context_(context),
        shape_(shape_of(table, resolved)) {}

  SweepDrawing drawing(const TellingMetrics& telling) {
    switch (shape_.kind) {
      case SweepShape::Kind::nothing:
        break;
      case SweepShape::Kind::samples:
        draw_samples(telling);
        break;
      case SweepShape::Kind::lines:
        for (const ShownMetric& metric : telling.numbers) add(lines(metric));
        break;
      case SweepShape::Kind::maps:
        draw_maps(telling);
        break;
    }
    add_remarks(telling);
    return std::move(drawing_);
  }

 private:
  void add(Figure figure) { drawing_.figures.push_back(std::move(figure)); }

  SweepView view_over(const ShownMetric& metric, std::optional<std::size_t> x, std::optional<std::size_t> y) const {
    SweepView view = view_;
    view.metric = metric.name;
    view.x = x ? table_.axes[*x].name : "";
    view.y = y ? table_.axes[*y].name : "";
    return view;
  }

  Figure lines(const ShownMetric& metric) const {
    return sweep_lines_figure(table_, heat_grids(table_, view_over(metric, shape_.long_axis, std::nullopt)), context_);
  }

  std::size_t cells() const { return shape_.x_values * shape_.y_values; }

  /// A map of the numbers of one grid.
  Figure map_of(const HeatGrids& grids, std::size_t number, const FieldMap& map) const {
    const HeatGrid& grid = grids.grids[number];
    FigureContext context = context_;
    if (!grid.title.empty()) context.scenario += ", " + grid.title;
    Figure figure = heat_map_figure(map, context);
    figure.name = "map_" + field_name(grids.view.metric->name) + (number > 0 ? "_" + std::to_string(number + 1) : "");
    return figure;
  }

  MapDetail detail_of_chosen(std::size_t maps) const {
    const std::size_t samples = maps > 1 ? maps : std::max(shape_.x_values, shape_.y_values);
    return {.intervals = true,
            .curves = cells() * maps * samples <= most_curve_samples,
            .breakdown = cells() * maps <= most_cells_linked};
  }

  void draw_chosen_map(const ShownMetric& metric) {
    const HeatGrids grids = heat_grids(table_, view_over(metric, resolved_.x, resolved_.y));
    const std::size_t maps =
        std::min({grids.grids.size(), most_maps_of_chosen, std::max<std::size_t>(1, most_cells_drawn / cells())});
    const MapDetail detail = detail_of_chosen(maps);
    for (std::size_t i = 0; i < maps; ++i) {
      FieldMap map = titled_map(grids, i, detail);
      add(map_of(grids, i, map));
      const bool linked = (i + 1) * cells() <= most_cells_linked;
      if (linked) drawing_.maps.push_back({.figure = drawing_.figures.back().name, .map = std::move(map)});
    }
    drawn_cells_ += maps * cells();
    if (grids.combinations > maps) say_undrawn_maps(grids, maps);
  }

  FieldMap titled_map(const HeatGrids& grids, std::size_t number, const MapDetail& detail) const {
    FieldMap map = sweep_map(table_, grids, grids.grids[number], detail);
    map.title = map_title(grids, grids.grids[number]);
    return map;
  }

  /// "Event time: 12.1 to 98.3 ms over round-trip time and max batch size"
  std::string map_title(const HeatGrids& grids, const HeatGrid& grid) const {
    const SweptNumber number = swept_metric(*grids.view.metric, grids.view.rows);
    std::vector<double> means;
    for (const auto& [place, cell] : grid.cells)
      if (cell.metric != nullptr) means.push_back(cell.metric->mean);
    std::string title = capitalised(number.words);
    if (!means.empty()) {
      const auto [least, most] = std::minmax_element(means.begin(), means.end());
      title += ": " + range_words(*least * number.factor, *most * number.factor, number.unit);
    }
    return title + " over " + axis_title(grids.x->name) + " and " + axis_title(grids.y->name);
  }

  void say_undrawn_maps(const HeatGrids& grids, std::size_t maps) {
    std::string names;
    for (const std::size_t column : grids.view.split) append_part(names, axis_title(table_.axes[column].name));
    drawing_.remarks.push_back("There is one map for every value of " + names + ": the first " + std::to_string(maps) +
                               " of " + whole_text(grids.combinations) + " are drawn. --at AXIS=VALUE chooses others.");
  }

  void draw_other_number(const ShownMetric& metric) {
    if (shape_.short_values <= few_lines && shape_.long_is_numeric) return add(lines(metric));
    if (drawn_cells_ + cells() > most_cells_drawn) {
      undrawn_.push_back(metric.name);
      return;
    }
    const HeatGrids grids = heat_grids(table_, view_over(metric, resolved_.x, resolved_.y));
    if (grids.grids.empty()) return;
    add(map_of(grids, 0, titled_map(grids, 0, {.intervals = cells() <= most_cells_with_intervals})));
    drawn_cells_ += cells();
  }

  void draw_maps(const TellingMetrics& telling) {
    const bool number_chosen = !resolved_.metric->is_word;
    for (const ShownMetric& metric : telling.numbers) {
      if (number_chosen && metric.name == resolved_.metric->name) {
        draw_chosen_map(metric);
        if (shape_.short_values <= most_sweep_lines && shape_.long_is_numeric) add(lines(metric));
      } else {
        draw_other_number(metric);
      }
    }
    for (const ShownMetric& metric : telling.words) {
      if (const std::string* word = only_word(resolved_, metric)) {
        drawing_.remarks.push_back(capitalised(metric_title(metric.stem)) + ": " + *word + " at all points.");
        continue;
      }
      const auto& across = shape_.long_axis == resolved_.x ? resolved_.y : resolved_.x;
      const HeatGrids grids = heat_grids(table_, view_over(metric, shape_.long_axis, across));
      if (!grids.grids.empty()) add(sweep_word_lines_figure(table_, grids, grids.grids.front(), context_));
    }
  }

  void draw_samples(const TellingMetrics& telling) {
    if (telling.numbers.empty()) return;
    const ResolvedView view = resolved_view(table_, view_over(telling.numbers.front(), std::nullopt, std::nullopt));
    std::size_t drawn = 0;
    for (std::size_t c = 0; c < table_.axes.size() && drawn < most_scatter_plots; ++c) {
      const ShownAxis axis = shown_axis(table_, view.rows, c);
      if (axis.values.size() < 2 || !is_numeric(axis)) continue;
      add(sweep_scatter_figure(table_, view, c, context_));
      ++drawn;
    }
    drawing_.remarks.emplace_back(
        shape_.too_large ? "The axes have more combinations than a page can hold as a map: the points are "
                           "drawn against each axis. --at AXIS=VALUE narrows them, and saturn show --sqlite "
                           "gives all to other programs."
                         : "The points are samples, no grid: they are drawn against each axis.");
  }

  void add_remarks(const TellingMetrics& telling) {
    for (const std::size_t column : shape_.along)
      drawing_.remarks.push_back(capitalised(axis_title(table_.axes[column].name)) +
                                 " runs along with the drawn axis; the points' table has its values.");
    for (const ShownMetric& metric : telling.constant) {
      const SweptNumber number = swept_metric(metric, resolved_.rows);
      const MetricRange range = *range_of(resolved_, metric);
      drawing_.remarks.push_back(capitalised(number.words) +
                                 (range.is_constant() ? " is the same at all points, "
                                                      : " differs by less than 0.1 % between the points, near ") +
                                 number.text_of(range.least) + ", and is not drawn.");
    }
    std::vector<std::string> others = undrawn_;
    if (shape_.kind == SweepShape::Kind::samples)
      for (std::size_t i = 1; i < telling.numbers.size(); ++i) others.push_back(telling.numbers[i].name);
    others.insert(others.end(), telling.others.begin(), telling.others.end());
    if (!others.empty())
      drawing_.undrawn =
          "Not drawn, but in points.csv: " + listed_names(others) + ". --metric NAME draws one of them first.";
  }

  const SweepTable& table_;
  SweepView view_;
  const ResolvedView& resolved_;
  FigureContext context_;
  SweepShape shape_;
  SweepDrawing drawing_{};
  std::size_t drawn_cells_ = 0;
  std::vector<std::string> undrawn_{};
};

}  // namespace

SweepDrawing drawn_sweep(const SweepTable& table, const SweepView& view, const ResolvedView& resolved,
                         const TellingMetrics& telling, const FigureContext& context) {
  return SweepPainter(table, view, resolved, context).drawing(telling);
}

namespace {

constexpr std::size_t most_numbers_drawn = 6;
constexpr std::size_t most_words_drawn = 2;
/// So many are drawn even where none of them is a known one.
constexpr std::size_t least_numbers_drawn = 3;

const SweepRow* first_answered(const ResolvedView& view) {
  const auto found = std::find_if(view.rows.begin(), view.rows.end(),
                                  [](const SweepRow* row) { return ResolvedView::has_answer(*row); });
  return found == view.rows.end() ? nullptr : *found;
}

/// The use of what binds at most points.
std::string binding_use(const ResolvedView& view) {
  std::map<std::string, std::size_t> counts;
  for (const SweepRow* row : view.rows)
    if (const std::string* word = word_at(*row, {.name = "binding", .stem = "binding", .is_word = true}))
      ++counts[*word];
  const auto commonest =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return commonest == counts.end() ? "" : "resources." + commonest->first + ".busy_fraction";
}

std::vector<std::string> wanted_stems(const ResolvedView& view) {
  return {"streams_per_gpu", "events",
          "event_time",      busiest_latency(view),
          binding_use(view), "cost_per_million_events",
          "slowdown",        "saturates_at_streams_per_gpu",
          "next_at_jobs"};
}

bool holds(const std::vector<ShownMetric>& metrics, const ShownMetric& one) {
  return std::any_of(metrics.begin(), metrics.end(), [&](const ShownMetric& known) { return known.name == one.name; });
}

void add_number(TellingMetrics& telling, const ResolvedView& view, const ShownMetric& metric) {
  if (holds(telling.numbers, metric) || holds(telling.constant, metric)) return;
  const std::optional<MetricRange> range = range_of(view, metric);
  if (!range) return;
  if (range->is_flat()) {
    telling.constant.push_back(metric);
  } else if (telling.numbers.size() < most_numbers_drawn) {
    telling.numbers.push_back(metric);
  }
}

}  // namespace

bool MetricRange::is_constant() const {
  constexpr double rounding = 1e-9;
  return most / 2 - least / 2 <= rounding * std::max(std::abs(least), std::abs(most));
}

bool MetricRange::is_flat() const {
  constexpr double least_spread = 1e-3;
  return most / 2 - least / 2 <= least_spread / 2 * std::max(std::abs(least), std::abs(most));
}

std::optional<MetricRange> range_of(const ResolvedView& view, const ShownMetric& metric) {
  std::optional<MetricRange> range;
  for (const SweepRow* row : view.rows) {
    const SweepMetric* found = metric_at(*row, metric);
    if (found == nullptr) continue;
    if (!range) range = MetricRange{.least = found->mean, .most = found->mean};
    range->least = std::min(range->least, found->mean);
    range->most = std::max(range->most, found->mean);
  }
  return range;
}

TellingMetrics telling_metrics(const SweepTable& table, const ResolvedView& view) {
  TellingMetrics telling;
  const std::vector<ShownMetric> all = metrics_of(table);
  if (view.metric && view.metric->is_word) telling.words.push_back(*view.metric);
  if (view.metric && !view.metric->is_word) telling.numbers.push_back(*view.metric);
  for (const std::string& stem : wanted_stems(view))
    for (const ShownMetric& metric : all)
      if (!metric.is_word && !stem.empty() && metric.stem == stem) add_number(telling, view, metric);
  for (const ShownMetric& metric : all) {
    if (metric.is_word && telling.words.size() < most_words_drawn && !holds(telling.words, metric))
      telling.words.push_back(metric);
    if (!metric.is_word && telling.numbers.size() < least_numbers_drawn) add_number(telling, view, metric);
  }
  for (const ShownMetric& metric : all)
    if (!holds(telling.numbers, metric) && !holds(telling.words, metric) && !holds(telling.constant, metric))
      telling.others.push_back(metric.name);
  return telling;
}

std::string busiest_latency(const ResolvedView& view) {
  constexpr std::string_view requests = ".requests";
  const SweepRow* row = first_answered(view);
  const SweepMetric* busiest = nullptr;
  if (row == nullptr) return "";
  for (const SweepMetric& metric : row->result.answer.metrics) {
    if (!metric.stem.starts_with("models.") || !metric.stem.ends_with(requests)) continue;
    if (busiest == nullptr || metric.mean > busiest->mean) busiest = &metric;
  }
  if (busiest == nullptr) return "";
  return busiest->stem.substr(0, busiest->stem.size() - requests.size()) + ".latency_p99";
}

}  // namespace saturn
