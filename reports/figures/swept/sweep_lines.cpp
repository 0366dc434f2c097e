#include "reports/figures/swept/sweep_lines.hpp"

#include <algorithm>

#include "models/words/texts.hpp"
#include "reports/figures/axes/figure_scale.hpp"
#include "reports/figures/axes/swept_number.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/figures/spec_template.hpp"
#include "reports/figures/swept/sweep_maps.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr double lines_width = 560.0;
constexpr double lines_height = 320.0;

/// What the lines of one figure share.
struct LinesOver {
  const SweepTable& table;
  const HeatGrids& grids;
  SweptNumber y{};
  bool numeric = true;
  SweptNumber x{};  ///< of an axis of numbers
  std::size_t drawn = 0;
  std::vector<ShownAxis> others{};  ///< (view.split) one line for every combination of them
};

std::string line_name(const LinesOver& over, const HeatGrid& grid) {
  if (over.others.empty() || grid.cells.empty()) return "all points";
  const SweepRow& row = *grid.cells.begin()->second.row;
  std::vector<std::string> places;
  for (std::size_t i = 0; i < over.others.size(); ++i) {
    const ShownAxis& axis = over.others[i];
    places.push_back(place_words(axis, axis.place_of(row.cells.at(over.grids.view.split[i]))));
  }
  return joined(places);
}

std::string status_of(const HeatCell& cell) {
  if (cell.metric == nullptr) return why_no_value(&cell);
  return cell.imprecise ? "less precise than asked" : "answered";
}

RowCell shown_cell(const std::optional<double>& value, const SweptNumber& number) {
  return value ? RowCell(number.shown(*value)) : RowCell();
}

std::vector<RowCell> line_row(const LinesOver& over, const std::string& name, std::size_t x, const HeatCell& cell) {
  const ShownAxis& axis = *over.grids.x;
  std::vector<RowCell> row;
  if (over.numeric) {
    row.emplace_back(over.x.shown(*axis.values[x].number));
  } else {
    row.emplace_back(axis.labels[x]);
  }
  const bool known = cell.metric != nullptr;
  row.push_back(known ? RowCell(over.y.shown(cell.metric->mean)) : RowCell());
  row.push_back(known ? shown_cell(cell.metric->low, over.y) : RowCell());
  row.push_back(known ? shown_cell(cell.metric->high, over.y) : RowCell());
  row.emplace_back(name);
  row.emplace_back(static_cast<double>(cell.row->number));
  row.emplace_back(status_of(cell));
  return row;
}

TidyRows line_rows(const LinesOver& over) {
  const RowColumn word{.name = field_name(over.grids.x->name)};
  TidyRows rows{.columns = {over.numeric ? over.x.column : word,
                            over.y.column,
                            over.y.low,
                            over.y.high,
                            {.name = "line"},
                            {.name = "point"},
                            {.name = "status"}}};
  make_heads_distinct(rows.columns, 4);
  for (std::size_t i = 0; i < over.drawn; ++i) {
    const HeatGrid& grid = over.grids.grids[i];
    const std::string name = line_name(over, grid);
    for (std::size_t x = 0; x < over.grids.x->values.size(); ++x)
      if (const HeatCell* cell = over.grids.at(grid, x, 0)) rows.rows.push_back(line_row(over, name, x, *cell));
  }
  return rows;
}

/// "Event time is 12.1 to 98.3 ms over round-trip time": what is seen, whatever it is.
std::string lines_title(const LinesOver& over, const std::vector<double>& means) {
  const auto [least, most] = std::minmax_element(means.begin(), means.end());
  const std::string over_x = " over " + (over.numeric ? over.x.words : axis_title(over.grids.x->name));
  const std::string range = range_words(*least, *most, over.y.unit);
  const bool constant = range == range_words(*least, *least, over.y.unit);
  return capitalised(over.y.words) + (constant ? " stays at " : ": ") + range + over_x;
}

std::string lines_caption(const LinesOver& over) {
  std::string caption = over.numeric ? "Bands are the intervals of the points; crosses at the bottom are points "
                                       "without a value."
                                     : "Bars are the intervals of the points; crosses at the left are points without a "
                                       "value.";
  if (over.grids.combinations > over.drawn)
    caption += " The first " + std::to_string(over.drawn) + " of " + whole_text(over.grids.combinations) +
               " combinations of the other axes are drawn; --at chooses others, points.csv holds all.";
  return caption;
}

/// The fields of the template with their heads.
std::map<std::string, std::string> lines_words(const LinesOver& over, const TidyRows& rows) {
  const auto head = [&](std::size_t column) { return rows.columns[column].head(); };
  return {{over.numeric ? "x" : "word", head(0)},
          {"value", head(1)},
          {"low", head(2)},
          {"high", head(3)},
          {"series", "line"},
          {"x title", over.numeric ? over.x.title : axis_title(over.grids.x->name)},
          {"value title", over.y.title}};
}

/// Which rows a layer draws: those with an interval, with a value, without one. Lines and bands over numbers keep rows
/// without a value, since they break there.
void put_filters(std::vector<SpecChange>& changes, const TidyRows& rows, bool numeric) {
  const auto valid = [&](std::size_t column) { return "isValid(datum." + rows.columns[column].head() + ")"; };
  const auto put = [&](std::size_t layer, const std::string& filter) {
    changes.push_back({"/layer/" + std::to_string(layer) + "/transform/0/filter", filter});
  };
  put(0, numeric ? valid(3) + " || !" + valid(2) : valid(2) + " && " + valid(3));
  put(numeric ? 2 : 1, valid(1));
  put(numeric ? 3 : 2, "!" + valid(1));
}

/// What a single line needs no legend for.
void drop_series(std::vector<SpecChange>& changes, bool numeric) {
  changes.push_back({.pointer = "/encoding/color"});
  if (numeric) changes.push_back({.pointer = "/layer/1/encoding/strokeDash"});
  if (!numeric) changes.push_back({.pointer = "/encoding/yOffset"});
  changes.push_back({.pointer = numeric ? "/layer/2/encoding/shape" : "/layer/1/encoding/shape"});
}

/// From 0 where that does not press the values together.
ScaleWish value_wish(const std::vector<double>& values, double pixels) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {.pixels = pixels, .from_zero = !values.empty() && *least < *most / 2};
}

std::string lines_spec(const LinesOver& over, const Figure& figure) {
  std::vector<SpecChange> changes{{"/title/text", figure.title},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}}};
  const std::vector<double> values = numbers_in(figure.rows, 1, 3);
  if (over.numeric) {
    const std::vector<double> xs = numbers_in(figure.rows, 0, 0);
    put_scale(changes, "/encoding/x", scale_of(xs, {.pixels = lines_width}));
    if (all_whole(xs)) changes.push_back({"/encoding/x/axis/tickMinStep", 1.0});
    put_scale(changes, "/layer/2/encoding/y", scale_of(values, value_wish(values, lines_height)));
  } else {
    put_scale(changes, "/layer/1/encoding/x", scale_of(values, value_wish(values, lines_width)));
  }
  put_filters(changes, figure.rows, over.numeric);
  if (over.drawn == 1) drop_series(changes, over.numeric);
  const bool all_valid = std::none_of(figure.rows.rows.begin(), figure.rows.rows.end(),
                                      [](const auto& row) { return std::holds_alternative<std::monostate>(row[1]); });
  const bool intervals = !numbers_in(figure.rows, 2, 3).empty();
  if (all_valid) changes.push_back({.pointer = over.numeric ? "/layer/3" : "/layer/2"});
  if (!intervals) changes.push_back({.pointer = "/layer/0"});
  return with_words(filled_spec(over.numeric ? "sweep_lines" : "sweep_words_axis", changes),
                    lines_words(over, figure.rows));
}

}  // namespace

Figure sweep_lines_figure(const SweepTable& table, const HeatGrids& grids, const FigureContext& context) {
  LinesOver over{.table = table, .grids = grids, .y = swept_metric(*grids.view.metric, grids.view.rows)};
  over.numeric = is_numeric(*grids.x);
  if (over.numeric) over.x = swept_axis(table, *grids.x, *grids.view.x);
  for (const std::size_t column : grids.view.split) over.others.push_back(shown_axis(table, grids.view.rows, column));
  over.drawn = std::min(grids.grids.size(), most_sweep_lines);
  Figure figure{.name = "over_" + field_name(grids.x->name) + "_" + over.y.column.head(),
                .subtitle = figure_subtitle(context.scenario, context.seed),
                .caption = lines_caption(over),
                .rows = line_rows(over)};
  const std::vector<double> means = numbers_in(figure.rows, 1, 1);
  figure.title = means.empty() ? capitalised(over.y.words) : lines_title(over, means);
  if (means.empty()) {
    figure.cannot = "No point that would be drawn has a " + over.y.words + ".";
  } else {
    figure.spec = lines_spec(over, figure);
  }
  return figure;
}

namespace {

constexpr double scatter_width = 560.0;
constexpr double scatter_height = 280.0;

TidyRows scatter_rows(const std::vector<const SweepRow*>& answered, const ShownMetric& metric, std::size_t column,
                      const SweptNumber& x, const SweptNumber& y) {
  TidyRows rows{.columns = {x.column, y.column, y.low, y.high, {.name = "point"}}};
  make_heads_distinct(rows.columns, 4);
  for (const std::size_t place : thinned_places(answered.size(), most_scattered)) {
    const SweepRow& row = *answered[place];
    const SweepMetric& value = *metric_at(row, metric);
    const auto scaled = [&](const std::optional<double>& bound) {
      return bound ? RowCell(y.shown(*bound)) : RowCell();
    };
    rows.rows.push_back({x.shown(*row.cells.at(column).number), y.shown(value.mean), scaled(value.low),
                         scaled(value.high), static_cast<double>(row.number)});
  }
  return rows;
}

std::string scatter_spec(const Figure& figure, const SweptNumber& x, const SweptNumber& y) {
  const std::vector<double> values = numbers_in(figure.rows, 1, 3);
  std::vector<SpecChange> changes{{"/title/text", figure.title},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}}};
  const std::vector<double> xs = numbers_in(figure.rows, 0, 0);
  put_scale(changes, "/encoding/x", scale_of(xs, {.pixels = scatter_width}));
  if (all_whole(xs)) changes.push_back({"/encoding/x/axis/tickMinStep", 1.0});
  // From 0 where that does not press the values together.
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  put_scale(changes, "/layer/1/encoding/y",
            scale_of(values, {.pixels = scatter_height, .from_zero = *least < *most / 2}));
  const std::string low = figure.rows.columns[2].head();
  const std::string high = figure.rows.columns[3].head();
  changes.push_back({"/layer/0/transform/0/filter", "isValid(datum." + low + ") && isValid(datum." + high + ")"});
  if (numbers_in(figure.rows, 2, 3).empty()) changes.push_back({.pointer = "/layer/0"});
  return with_words(filled_spec("sweep_scatter", changes), {{"x", figure.rows.columns[0].head()},
                                                            {"value", figure.rows.columns[1].head()},
                                                            {"low", low},
                                                            {"high", high},
                                                            {"x title", x.title},
                                                            {"value title", y.title}});
}

}  // namespace

std::vector<std::size_t> thinned_places(std::size_t n, std::size_t most) {
  const std::size_t step = n <= most ? 1 : (n + most - 1) / most;
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < n; place += step) places.push_back(place);
  return places;
}

Figure sweep_scatter_figure(const SweepTable& table, const ResolvedView& view, std::size_t column,
                            const FigureContext& context) {
  const SweptNumber y = swept_metric(*view.metric, view.rows);
  const SweptNumber x = swept_axis(table, shown_axis(table, view.rows, column), column);
  std::vector<const SweepRow*> answered;
  for (const SweepRow* row : view.rows)
    if (metric_at(*row, *view.metric) != nullptr) answered.push_back(row);
  Figure figure{.name = "samples_" + x.column.name + "_" + y.column.head(),
                .title = capitalised(y.words) + " at " + whole_text(answered.size()) + " points against " + x.words,
                .subtitle = figure_subtitle(context.scenario, context.seed),
                .caption = "Each point is one of the sweep; the other axes differ from point to point as well.",
                .rows = scatter_rows(answered, *view.metric, column, x, y)};
  if (figure.rows.rows.size() < answered.size())
    figure.caption += " " + whole_text(figure.rows.rows.size()) + " of " + whole_text(answered.size()) +
                      " points are drawn; points.csv holds all.";
  if (figure.rows.rows.empty()) {
    figure.cannot = "No point has a " + y.words + ".";
  } else {
    figure.spec = scatter_spec(figure, x, y);
  }
  return figure;
}

}  // namespace saturn
