#include "reports/sweep/sweep_bars.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/sweep/heat_map.hpp"
#include "reports/sweep/sweep_summary.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "reports/tables/text_plot.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_bars = 60;
constexpr std::size_t longest_bar = 48;
constexpr std::size_t shortest_bar = 8;
constexpr std::size_t longest_word = 30;
const std::string bar_colour = "\033[38;5;36m";
const std::string end_of_colour = "\033[0m";
constexpr std::array<const char*, 8> eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};

struct Bar {
  std::string label;
  std::string value;
  const SweepMetric* metric = nullptr;
};

/// A bar that grows to the right; only its end is finer than a character.
std::string bar_to_the_right(double characters) {
  const auto eighth = static_cast<std::size_t>(std::lround(characters * 8.0));
  // Even the smallest value has something to be seen of it.
  if (eighth == 0) return eighths[1];
  return repeated("█", eighth / 8) + eighths[eighth % 8];
}

/// A bar from where 0 is; to its left for values below 0.
std::string linear_bar(double value, const ValueScale& scale, double width) {
  const double low = std::min(scale.low(), 0.0);
  const double high = std::max(scale.high(), 0.0);
  // Whole characters are left of 0, since only the right end of a bar is finer.
  const double left = low < 0.0 ? std::clamp(std::round(width * (low / (low - high))), 1.0, width - 1.0) : 0.0;
  const double of_low = low < 0.0 ? left / -low : std::numeric_limits<double>::infinity();
  const double of_high = high > 0.0 ? (width - left) / high : std::numeric_limits<double>::infinity();
  const double length = std::abs(value) * std::min(of_low, of_high);
  if (value == 0.0) return std::string(static_cast<std::size_t>(left), ' ') + eighths[1];
  if (value > 0.0) return std::string(static_cast<std::size_t>(left), ' ') + bar_to_the_right(length);
  const double blocks_to_left = std::clamp(std::round(length), 1.0, left);
  return std::string(static_cast<std::size_t>(left - blocks_to_left), ' ') +
         repeated("█", static_cast<std::size_t>(blocks_to_left));
}

std::string bar_of(double value, const ValueScale& scale, std::size_t width) {
  const auto characters = static_cast<double>(width);
  if (scale.logarithmic()) return bar_to_the_right(scale.share(value) * characters);
  if (scale.low() == 0.0 && scale.high() == 0.0) return "";
  return linear_bar(value, scale, characters);
}

std::size_t step_of_bars(const ShownAxis& axis) {
  return std::max<std::size_t>(1, (axis.values.size() + most_bars - 1) / most_bars);
}

std::vector<Bar> bars_of(const HeatGrids& grids, const HeatGrid& grid, double factor) {
  std::vector<Bar> bars;
  for (std::size_t x = 0; x < grids.x->values.size(); x += step_of_bars(*grids.x)) {
    const HeatCell* cell = grids.at(grid, x, 0);
    if (cell == nullptr) continue;
    bars.push_back({.label = grids.x->labels[x], .value = cell_text(grids, *cell, factor), .metric = cell->metric});
  }
  return bars;
}

}  // namespace

std::string thinned_bars_sentence(const ShownAxis& axis) {
  const std::size_t step = step_of_bars(axis);
  return thinned_sentence(axis, (axis.values.size() + step - 1) / step);
}

std::string thinned_sentence(const ShownAxis& axis, std::size_t shown) {
  const std::size_t values = axis.values.size();
  if (shown >= values) return "";
  return "One in " + std::to_string((values + shown - 1) / shown) + " of the " + whole_text(values) + " values of " +
         axis.name + " is shown.";
}

std::string cell_text(const HeatGrids& grids, const HeatCell& cell, double factor) {
  switch (cell.kind) {
    case HeatCell::Kind::missing:
      return missing_mark + " not computed yet";
    case HeatCell::Kind::failed:
      return failed_mark + " " + terminal_text(cell.row->result.failure, longest_word);
    case HeatCell::Kind::nothing:
      return no_value;
    case HeatCell::Kind::word:
      return (cell.imprecise ? imprecise_mark : "") + terminal_text(grids.words[cell.word], longest_word);
    case HeatCell::Kind::number:
      break;
  }
  return (cell.imprecise ? imprecise_mark : "") + estimate_text(cell.metric->estimate(), factor);
}

std::string sweep_bars(const HeatGrids& grids, const HeatGrid& grid, const ValueScale& scale, const ShownUnit& unit,
                       TextStyle style) {
  const std::vector<Bar> bars = bars_of(grids, grid, unit.factor);
  std::size_t label_width = width_of(grids.x->heading);
  std::size_t value_width = 0;
  for (const Bar& bar : bars) {
    label_width = std::max(label_width, width_of(bar.label));
    // What is no number may stand where others have their bars.
    if (bar.metric != nullptr) value_width = std::max(value_width, width_of(bar.value));
  }
  const std::size_t before = 2 + label_width + 2 + value_width + 2;
  const std::size_t room = picture_width - std::min(picture_width, before);
  const std::size_t width = std::clamp(room, shortest_bar, longest_bar);

  std::string text = "  " + grids.x->heading + "\n";
  for (const Bar& bar : bars) {
    text += "  " + right_aligned(bar.label, label_width) + "  ";
    if (bar.metric == nullptr) {
      text += bar.value + "\n";
      continue;
    }
    text += right_aligned(bar.value, value_width);
    const std::string drawn = bar_of(bar.metric->mean, scale, width);
    if (!drawn.empty()) text += "  " + (style.colour ? bar_colour + drawn + end_of_colour : drawn);
    text += "\n";
  }
  return text;
}

namespace {

constexpr std::size_t fewest_points = 3;
constexpr std::size_t longest_metric = 60;

double factor_to(const std::string& shown, const std::string& unit) {
  const std::vector<ShownUnit> units = readable_units(unit);
  const auto found = std::find_if(units.begin(), units.end(), [&](const ShownUnit& one) { return one.name == shown; });
  return found == units.end() ? 1.0 : found->factor;
}

bool all_numbers(const ShownAxis& axis) {
  return std::all_of(axis.values.begin(), axis.values.end(),
                     [](const AxisCell& cell) { return cell.number && std::isfinite(*cell.number); });
}

}  // namespace

std::string sweep_curve(const HeatGrids& grids, const HeatGrid& grid, const std::string& axis_unit,
                        const ShownUnit& unit, TextStyle style) {
  const std::optional<std::size_t> width = canvas_width(style);
  if (!style.pictures || !width || !grids.x || grids.y || !all_numbers(*grids.x)) return "";
  const double factor = factor_to(grids.x->unit, axis_unit);
  BlockPlot plot{.x_title = grids.x->heading,
                 .y_title = name_with_unit(terminal_text(grids.view.metric->stem, longest_metric), unit.name),
                 .width = *width};
  std::vector<double> places;
  for (std::size_t x = 0; x < grids.x->values.size(); ++x) {
    const HeatCell* cell = grids.at(grid, x, 0);
    if (cell == nullptr || cell->metric == nullptr) continue;
    places.push_back(*grids.x->values[x].number * factor);
    plot.curve.emplace_back(places.back(), cell->metric->mean * unit.factor);
  }
  if (places.size() < fewest_points) return "";
  plot.log_x = better_logarithmic(places);
  return "\n" + block_plot(plot, style);
}

namespace {

constexpr std::size_t longest_heading = 40;
constexpr std::size_t longest_cell_word = 30;
constexpr std::size_t table_width = 80;
constexpr int digits_of_points = 3;

/// The axes that have a column, and one sentence about those that do not.
struct TableAxes {
  std::vector<std::size_t> columns{};
  std::vector<ShownAxis> shown{};
  std::string same{};
};

TableAxes table_axes(const SweepTable& table, const ResolvedView& view) {
  TableAxes axes;
  for (std::size_t c = 0; c < table.axes.size(); ++c) {
    ShownAxis axis = shown_axis(table, view.rows, c);
    if (axis.values.size() == 1 && table.axes.size() > 1) {
      append_part(axes.same, axis.equation(0));
    } else {
      axes.columns.push_back(c);
      axes.shown.push_back(std::move(axis));
    }
  }
  return axes;
}

ShownUnit unit_of(const ResolvedView& view) {
  std::vector<double> means;
  for (const SweepRow* row : view.rows)
    if (const SweepMetric* metric = metric_at(*row, *view.metric)) means.push_back(metric->mean);
  return handiest_unit(means, view.metric->unit, digits_of_points);
}

std::string value_text(const SweepRow& row, const ResolvedView& view, const ShownUnit& unit) {
  if (!view.metric) return no_value;
  if (const std::string* word = word_at(row, *view.metric)) return terminal_text(*word, longest_cell_word);
  const SweepMetric* metric = metric_at(row, *view.metric);
  if (metric == nullptr) return no_value;
  return estimate_text(metric->estimate(), unit.factor);
}

std::string remark_of(const SweepRow& row) {
  switch (row.result.status) {
    case PointStatus::answered:
      return "";
    case PointStatus::imprecise:
      return "less precise than asked";
    case PointStatus::missing:
      return "not computed yet";
    case PointStatus::failed:
      break;
  }
  const std::string kind = terminal_text(row.result.failure, longest_cell_word);
  return "failed" + (kind.empty() ? "" : ": " + kind);
}

}  // namespace

std::string sweep_points_text(const SweepTable& table, const SweepView& view, TextStyle style) {
  const ResolvedView resolved = resolved_view(table, view);
  if (resolved.rows.empty()) return "No point of the sweep has these values together.\n";
  const TableAxes axes = table_axes(table, resolved);
  const ShownUnit unit = resolved.metric ? unit_of(resolved) : ShownUnit{};

  using Align = TextTable::Align;
  std::vector<TextTable::Column> columns{{"point", Align::right}};
  for (const ShownAxis& axis : axes.shown) columns.push_back({axis.heading, Align::right});
  const std::string metric = resolved.metric ? terminal_text(resolved.metric->stem, longest_heading) : "answer";
  columns.push_back({name_with_unit(metric, unit.name), Align::right});
  columns.push_back({"", Align::left});
  TextTable rows(columns);
  for (const SweepRow* row : resolved.rows) {
    std::vector<std::string> cells{std::to_string(row->number)};
    for (std::size_t i = 0; i < axes.columns.size(); ++i)
      cells.push_back(axes.shown[i].labels[axes.shown[i].place_of(row->cells[axes.columns[i]])]);
    cells.push_back(value_text(*row, resolved, unit));
    cells.push_back(remark_of(*row));
    rows.add_row(std::move(cells));
  }
  std::string text = rows.text(style);
  if (!axes.same.empty()) text += "\n" + wrapped_text("The same at all: " + axes.same + ".", table_width, "  ", "  ");
  const std::string failures = failures_text(resolved.rows, table_width);
  return text + (failures.empty() ? "" : "\n") + failures;
}

}  // namespace saturn
