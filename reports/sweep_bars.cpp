#include "reports/sweep_bars.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/heat_map_layout.hpp"
#include "reports/heat_map_shades.hpp"
#include "reports/number_text.hpp"
#include "reports/terminal_text.hpp"

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
      return no_value_mark;
    case HeatCell::Kind::word:
      return (cell.imprecise ? imprecise_mark : "") + terminal_text(grids.words[cell.word], longest_word);
    case HeatCell::Kind::number:
      break;
  }
  const double mean = cell.metric->mean;
  const Estimate estimate{
      .mean = mean, .low = cell.metric->low.value_or(mean), .high = cell.metric->high.value_or(mean)};
  return (cell.imprecise ? imprecise_mark : "") + estimate_text(estimate, factor);
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

}  // namespace saturn
