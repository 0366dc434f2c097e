#include "reports/figures/maps/heat_map_figure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/statistics/intervals.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/axis.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/maps/contours.hpp"
#include "reports/tables/text_plot.hpp"

namespace saturn {

WinnerCell winner_cell(std::vector<std::optional<double>> values, double close_within) {
  constexpr double rounding = 1e-9;
  WinnerCell cell;
  std::optional<double> least;
  for (const std::optional<double>& value : values)
    if (value && (!least || *value < *least)) least = value;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    if (!cell.winner && *values[i] <= *least + rounding * std::abs(*least))
      cell.winner = i;
    else if (*values[i] <= *least + close_within * std::abs(*least))
      cell.close = true;
  }
  cell.values = std::move(values);
  return cell;
}

namespace {

constexpr double map_width = 500.0;
constexpr double map_height = 340.0;
constexpr int value_digits = 6;
constexpr double largest_drawn = 1e300;

/// A field map in the units that are shown.
struct ShownField {
  PlacedAxis x{};
  PlacedAxis y{};
  ShownUnit unit{};
  bool logarithmic = false;
  bool constant = false;
  bool alike = false;  ///< the cells differ by no more than chance
  double low = 0.0;
  double high = 0.0;
  bool intervals = false;
};

// Colours are computed from differences, which must not overflow. Not a number is not at most that either.
bool is_drawable(const std::optional<double>& value) {
  return value && std::abs(*value) <= largest_drawn;
}

std::vector<double> finite_values(const FieldMap& map) {
  std::vector<double> values;
  for (const MapCell& cell : map.cells) {
    if (is_drawable(cell.value)) values.push_back(*cell.value);
  }
  return values;
}

/// The intervals of the cells; one without is exact.
std::vector<Estimate> cell_estimates(const FieldMap& map) {
  std::vector<Estimate> estimates;
  for (const MapCell& cell : map.cells)
    if (is_drawable(cell.value))
      estimates.push_back(
          {.mean = *cell.value, .low = cell.low.value_or(*cell.value), .high = cell.high.value_or(*cell.value)});
  return estimates;
}

ShownField shown_field(const FieldMap& map, std::vector<double> values) {
  ShownField shown{.x = placed_axis(map.x, map_width), .y = placed_axis(map.y, map_height)};
  if (!values.empty()) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    shown.unit = handiest_unit(std::vector<double>{*least, *most}, map.value_unit, 3);
  }
  for (double& value : values) value *= shown.unit.factor;
  const std::vector<Estimate> estimates = cell_estimates(map);
  shown.alike = may_all_be_equal(estimates);
  const ValueScale scale(values, ValueScale::Use::shades, shown.alike);
  shown.logarithmic = scale.logarithmic();
  shown.constant = scale.constant();
  shown.low = scale.low();
  shown.high = scale.high();
  // Colours as wide as the intervals, so that chance does not look like a pattern.
  for (const Estimate& one : estimates) {
    if (!shown.alike || !std::isfinite(one.low) || !std::isfinite(one.high)) continue;
    shown.low = std::min(shown.low, one.low * shown.unit.factor);
    shown.high = std::max(shown.high, one.high * shown.unit.factor);
  }
  shown.intervals =
      std::any_of(map.cells.begin(), map.cells.end(), [](const MapCell& cell) { return cell.low || cell.high; });
  return shown;
}

std::optional<double> shown_number(const std::optional<double>& value, double factor) {
  if (!is_drawable(value)) return std::nullopt;
  return rounded_to(*value * factor, value_digits);
}

void add_cells(FigureRows& rows, const FieldMap& map, const ShownField& shown) {
  for (std::size_t iy = 0; iy < map.y.size(); ++iy) {
    for (std::size_t ix = 0; ix < map.x.size(); ++ix) {
      const MapCell& cell = map.at(iy, ix);
      const std::optional<double> value = shown_number(cell.value, shown.unit.factor);
      const std::string why = cell.why_not.empty() ? "not a finite number" : cell.why_not;
      rows.add(placed_cell(shown.x, ix, shown.y, iy));
      rows.amend({{"series", std::string(value ? "cell" : "missing")},
                  {"value", cell_of(value)},
                  {"text", value ? RowCell() : RowCell(why)}});
      if (!shown.intervals) continue;
      rows.amend({{"low", cell_of(shown_number(cell.low, shown.unit.factor))},
                  {"high", cell_of(shown_number(cell.high, shown.unit.factor))}});
    }
  }
}

void add_lines(FigureRows& rows, const FieldMap& map, const ShownField& shown) {
  if (shown.x.words || shown.y.words || shown.constant) return;
  std::vector<double> values;
  for (const MapCell& cell : map.cells)
    values.push_back(is_drawable(cell.value) ? *cell.value * shown.unit.factor : std::nan(""));
  const ContourLines lines =
      contour_lines({.x = shown.x.centres, .y = shown.y.centres, .values = std::move(values)}, shown.x.scale,
                    shown.y.scale, shown.logarithmic,
                    shown.x.present && shown.y.present ? std::optional(FigurePlace{*shown.x.present, *shown.y.present})
                                                       : std::nullopt);
  double number = 0.0;
  for (const ContourLine& line : lines.lines) {
    double step = 0.0;
    for (const ContourPoint& point : line.points)
      rows.add({{"series", std::string("contour")},
                {"x", rounded_to(point.x, value_digits)},
                {"y", rounded_to(point.y, value_digits)},
                {"value", line.level},
                {"line", number},
                {"step", step++}});
    ++number;
  }
  for (const ContourLabel& label : lines.labels)
    rows.add({{"series", std::string("contour label")},
              {"x", rounded_to(label.at.x, value_digits)},
              {"y", rounded_to(label.at.y, value_digits)},
              {"value", label.level},
              {"text", label.text}});
}

void add_present(FigureRows& rows, const PlacedAxis& x, const PlacedAxis& y) {
  if (!x.present || !y.present) return;
  rows.add({{"series", std::string("present")},
            {"x", *x.present},
            {"x_text", x.present_text},
            {"y", *y.present},
            {"y_text", y.present_text}});
}

FigureRows field_rows(const FieldMap& map, const ShownField& shown) {
  std::vector<RowColumn> columns;
  for (const char* name :
       {"series", "cell", "x", "x_low", "x_high", "x_text", "y", "y_low", "y_high", "y_text", "value"})
    columns.push_back({.name = name});
  if (shown.intervals) {
    columns.push_back({.name = "low"});
    columns.push_back({.name = "high"});
  }
  for (const char* name : {"text", "line", "step"}) columns.push_back({.name = name});
  FigureRows rows(std::move(columns));
  add_cells(rows, map, shown);
  add_lines(rows, map, shown);
  add_present(rows, shown.x, shown.y);
  return rows;
}

void put_colours(std::vector<SpecChange>& changes, const FieldMap& map, const ShownField& shown) {
  const std::vector<std::string> title = wrapped(name_with_unit(map.value_title, shown.unit.name), 22);
  changes.push_back({"/layer/0/encoding/color/legend/title", title});
  const FigureScale round = scale_of({shown.low, shown.high}, {.margin = 0.0, .never_log = !shown.logarithmic});
  changes.push_back({"/layer/0/encoding/color/scale/type", std::string(shown.logarithmic ? "log" : "linear")});
  changes.push_back({"/layer/0/encoding/color/scale/domain", std::vector<double>{round.low, round.high}});
  if (const auto format = extreme_format(round)) changes.push_back({"/layer/0/encoding/color/legend/format", *format});
  if (shown.logarithmic) changes.push_back({"/layer/0/encoding/color/legend/values", logarithmic_ticks(round)});
}

void name_tooltips(std::vector<SpecChange>& changes, const FieldMap& map, const ShownField& shown) {
  for (const std::string layer : {"/layer/0", "/layer/1", "/layer/7"}) {
    changes.push_back({layer + "/encoding/tooltip/0/title", tooltip_title(shown.x.name)});
    changes.push_back({layer + "/encoding/tooltip/1/title", tooltip_title(shown.y.name)});
  }
  const std::string value = name_with_unit(map.value_title, shown.unit.name);
  changes.push_back({"/layer/0/encoding/tooltip/2/title", tooltip_title(value)});
  changes.push_back({"/layer/4/encoding/tooltip/0/title", tooltip_title(value)});
  if (shown.intervals) return;
  changes.push_back({"/layer/0/encoding/tooltip/4", {}});
  changes.push_back({"/layer/0/encoding/tooltip/3", {}});
}

void drop_empty_layers(std::vector<SpecChange>& changes, const FigureRows& rows) {
  if (rows.count("present") == 0) changes.push_back({"/layer/7", {}});
  if (rows.count("contour label") == 0) {
    changes.push_back({"/layer/6", {}});
    changes.push_back({"/layer/5", {}});
  }
  if (rows.count("contour") == 0) {
    changes.push_back({"/layer/4", {}});
    changes.push_back({"/layer/3", {}});
  }
  if (rows.count("missing") == 0) {
    changes.push_back({"/layer/2", {}});
    changes.push_back({"/layer/1", {}});
  }
}

std::string present_words(const PlacedAxis& x, const PlacedAxis& y) {
  if (!x.present || !y.present) return "";
  return "Diamond: the scenario as it is, " + x.present_text + " and " + y.present_text;
}

std::string field_caption(const FieldMap& map, const ShownField& shown, const FigureRows& rows) {
  std::string text = "Each cell is one combination" + (map.method.empty() ? "" : ", " + map.method) + ".";
  if (shown.alike)
    text += " The cells differ by no more than chance; the colours span their intervals.";
  else if (shown.constant)
    text += " All cells have the same value, " + compact_number(shown.low, 4) + ".";
  if (rows.count("contour") > 0) text += " Lines join equal values, interpolated between the middles of the cells.";
  if (rows.count("missing") > 0) text += " Grey cells with a stroke have no value; a hover says why.";
  return text;
}

}  // namespace

Figure heat_map_figure(const FieldMap& map, const FigureContext& context) {
  Figure figure{.name = "heat_map",
                .title = map.title.empty() ? "A field over two axes" : map.title,
                .subtitle = figure_subtitle(context.scenario, context.seed)};
  if (map.x.size() == 0 || map.y.size() == 0 || map.cells.size() != map.x.size() * map.y.size()) {
    figure.cannot = "The map has no cells.";
    return figure;
  }
  std::vector<double> values = finite_values(map);
  const bool nothing = values.empty();
  const ShownField shown = shown_field(map, std::move(values));
  FigureRows rows = field_rows(map, shown);
  figure.caption = field_caption(map, shown, rows);
  if (nothing) {
    figure.cannot = "None of the " + std::to_string(map.cells.size()) + " cells has a value" +
                    (map.cells.front().why_not.empty() ? "." : "; the first: " + map.cells.front().why_not + ".");
    figure.rows = rows.taken();
    return figure;
  }
  std::vector<std::string> subtitle{figure.subtitle};
  if (const std::string words = present_words(shown.x, shown.y); !words.empty()) subtitle.push_back(words);
  std::vector<SpecChange> changes{{"/title/text", wrapped(map.title, title_letters)}, {"/title/subtitle", subtitle}};
  put_axis(changes, "/encoding/x", shown.x);
  put_axis(changes, "/encoding/y", shown.y);
  put_colours(changes, map, shown);
  name_tooltips(changes, map, shown);
  drop_empty_layers(changes, rows);
  figure.spec = filled_spec("heat_map", changes);
  figure.rows = rows.taken();
  return figure;
}

}  // namespace saturn
