#include "reports/heat_map_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/number_text.hpp"
#include "reports/text_table.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_lines = 60;
constexpr std::size_t widest_letter_column = 8;
constexpr int most_digits = 4;
constexpr int fewest_digits = 2;

/// 0, k, 2k, ... below n, with the smallest k that leaves at most so many.
std::vector<std::size_t> thinned(std::size_t n, std::size_t most) {
  const std::size_t step = std::max<std::size_t>(1, (n + most - 1) / most);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < n; i += step) kept.push_back(i);
  return kept;
}

std::size_t widest_label(const std::vector<std::string>& labels) {
  std::size_t widest = 0;
  for (const std::string& label : labels) widest = std::max(widest, width_of(label));
  return widest;
}

/// Characters of the widest number; 0 where there are none.
std::size_t widest_number(const HeatGrids& grids, const ShownUnit& unit, int digits) {
  std::size_t widest = 0;
  for (const HeatGrid& grid : grids.grids) {
    for (const auto& [place, cell] : grid.cells) {
      if (cell.metric == nullptr) continue;
      widest = std::max(widest, width_of(cell_number(*cell.metric, unit, digits)));
    }
  }
  return widest;
}

/// Tries numbers in the cells; false where no two digits fit.
bool fit_numbers(const HeatGrids& grids, const ShownUnit& unit, HeatMapLayout& layout) {
  const std::size_t room = picture_width - layout.left;
  const std::size_t columns = grids.x->values.size();
  // The narrowest column is a shade, one digit and a gap.
  if (columns * 3 > room) return false;
  std::array<std::size_t, most_digits + 1> numbers{};
  for (int digits = fewest_digits; digits <= most_digits; ++digits)
    numbers[static_cast<std::size_t>(digits)] = widest_number(grids, unit, digits);
  for (const bool all_labels : {true, false}) {
    for (int digits = most_digits; digits >= fewest_digits; --digits) {
      for (const std::size_t shade : {2U, 1U}) {
        // A blank, or the mark of what is imprecise, stands between shade and number.
        std::size_t column = shade + 1 + std::max<std::size_t>(1, numbers[static_cast<std::size_t>(digits)]);
        if (all_labels) column = std::max(column, widest_label(grids.x->labels));
        if (columns * (column + 1) > room) continue;
        layout.digits = digits;
        layout.shade = shade;
        layout.column = column + 1;
        return true;
      }
    }
  }
  return false;
}

void fit_shades(const HeatGrids& grids, HeatMapLayout& layout) {
  const std::size_t room = picture_width - layout.left;
  const std::size_t columns = grids.x->values.size();
  const std::size_t labelled = std::min(widest_letter_column, widest_label(grids.x->labels) + 1);
  layout.column = 1;
  for (const std::size_t width : {std::size_t{2}, labelled})
    if (columns * width <= room) layout.column = std::max(layout.column, width);
  layout.shade = grids.view.metric->is_word ? 1 : layout.column;
}

struct PlacedLabels {
  std::string labels;
  std::string ticks;
  std::size_t left_out = 0;
};

PlacedLabels place_labels(const HeatMapLayout& layout, const std::vector<std::string>& labels) {
  PlacedLabels placed;
  placed.labels = std::string(layout.left, ' ');
  placed.ticks = placed.labels;
  // Labels may stand in the margin that the axis' own labels leave.
  std::size_t used = layout.digits > 0 ? 0 : layout.left;
  std::size_t written = layout.left;
  for (std::size_t i = 0; i < layout.xs.size(); ++i) {
    const std::string& label = labels[layout.xs[i]];
    const std::size_t width = width_of(label);
    const std::size_t begin = layout.left + i * layout.column;
    const std::size_t end = begin + layout.column - 1;
    const std::size_t from = layout.digits > 0 ? (end > width ? end - width : 0) : begin;
    if (from < used || from + width > picture_width) {
      ++placed.left_out;
      continue;
    }
    if (from < written) placed.labels.resize(from);
    placed.labels += std::string(from - std::min(from, written), ' ') + label;
    placed.ticks += std::string(begin + 1 - std::min(begin + 1, width_of(placed.ticks) + 1), ' ') + "╵";
    written = from + width;
    used = written + 1;
  }
  return placed;
}

}  // namespace

std::string cell_number(const SweepMetric& metric, const ShownUnit& unit, int digits) {
  const double value = metric.mean * unit.factor;
  if (!metric.low || !metric.high) return compact_number(value, digits);
  const double half = (*metric.high - *metric.low) / 2 * unit.factor;
  if (!std::isfinite(half) || half <= std::abs(value) * 1e-7) return compact_number(value, digits);
  if (value == 0.0) return "0";
  const int meaningful = static_cast<int>(std::floor(std::log10(std::abs(value))) - std::floor(std::log10(half))) + 1;
  std::string text = number_text(value, std::clamp(meaningful, 1, digits));
  std::erase(text, ',');
  return text;
}

HeatMapLayout heat_map_layout(const HeatGrids& grids, const ShownUnit& unit) {
  HeatMapLayout layout;
  layout.left = 2 + widest_label(grids.y->labels) + 2;
  layout.ys = thinned(grids.y->values.size(), most_lines);
  if (grids.view.metric->is_word || !fit_numbers(grids, unit, layout)) fit_shades(grids, layout);
  layout.xs = thinned(grids.x->values.size(), (picture_width - layout.left) / layout.column);
  return layout;
}

std::string x_label_line(const HeatMapLayout& layout, const std::vector<std::string>& labels) {
  return place_labels(layout, labels).labels;
}

std::string x_tick_line(const HeatMapLayout& layout, const std::vector<std::string>& labels) {
  const PlacedLabels placed = place_labels(layout, labels);
  return layout.digits > 0 || placed.left_out == 0 ? "" : placed.ticks;
}

}  // namespace saturn
