#include "reports/tables/text_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/tables/text_table.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr double rounding_errors = 1e-9;
constexpr double always_logarithmic = 1000.0;
constexpr double perhaps_logarithmic = 10.0;

}  // namespace

ValueScale::ValueScale(std::span<const double> values, Use use, bool alike) {
  if (values.empty()) return;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  low_ = *low;
  high_ = *high;
  // Halves, since the difference of two doubles may be none.
  constant_ = alike || high_ / 2 - low_ / 2 <= rounding_errors * std::max(std::abs(low_), std::abs(high_));
  logarithmic_ = !alike && low_ > 0.0 && high_ / always_logarithmic > low_;
  if (use == Use::bars || alike || logarithmic_ || low_ <= 0.0 || high_ / perhaps_logarithmic <= low_) return;
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  logarithmic_ = std::abs(logarithmic_share(*middle) - 0.5) < std::abs(linear_share(*middle) - 0.5);
}

double ValueScale::linear_share(double value) const {
  return (value / 2 - low_ / 2) / (high_ / 2 - low_ / 2);
}

double ValueScale::logarithmic_share(double value) const {
  return (std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_));
}

double ValueScale::share(double value) const {
  if (constant_) return 0.5;
  return std::clamp(logarithmic_ ? logarithmic_share(value) : linear_share(value), 0.0, 1.0);
}

std::size_t ValueScale::level(double value, std::size_t levels) const {
  return std::min(levels - 1, static_cast<std::size_t>(share(value) * static_cast<double>(levels)));
}

double ValueScale::begin_of(std::size_t level, std::size_t levels) const {
  const double share = static_cast<double>(level) / static_cast<double>(levels);
  if (logarithmic_) return std::exp(std::log(low_) + share * (std::log(high_) - std::log(low_)));
  return low_ * (1.0 - share) + high_ * share;
}

namespace {

constexpr double factor_of_logarithms = 30.0;

/// One axis: where a value lies between its ends.
class Axis {
 public:
  Axis(double low, double high, bool logarithmic, std::size_t cells)
      : low_(low), high_(high), logarithmic_(logarithmic), cells_(static_cast<double>(cells)) {
    if (high_ > low_) return;
    // A single value lies in the middle of an axis round it.
    const double margin = low_ == 0.0 ? 1.0 : std::abs(low_) * 0.5;
    low_ = logarithmic_ ? low / 2.0 : low - margin;
    high_ = logarithmic_ ? high * 2.0 : high + margin;
  }

  /// Nothing outside the axis.
  std::optional<std::size_t> cell(double value) const {
    const double share = (scaled(value) - scaled(low_)) / (scaled(high_) - scaled(low_));
    // Rounding must not push the ends of the axis off it.
    if (!(share >= -1e-9) || !(share <= 1.0 + 1e-9)) return std::nullopt;
    const double place = std::clamp(share, 0.0, 1.0) * (cells_ - 1.0);
    return static_cast<std::size_t>(std::lround(place));
  }

  double value_in(std::size_t cell) const { return value_at(static_cast<double>(cell) / (cells_ - 1.0)); }
  double value_at(double share) const {
    const double between = scaled(low_) + share * (scaled(high_) - scaled(low_));
    return logarithmic_ ? std::exp(between) : between;
  }

 private:
  double scaled(double value) const { return logarithmic_ ? std::log(value) : value; }

  double low_;
  double high_;
  bool logarithmic_;
  double cells_;
};

bool drawable(const TextPlot& plot, const std::pair<double, double>& point) {
  return std::isfinite(point.first) && std::isfinite(point.second) && (!plot.log_x || point.first > 0.0) &&
         (!plot.log_y || point.second > 0.0);
}

struct Range {
  double low = 0.0;
  double high = 0.0;
};

/// Nothing when no point can be drawn.
std::optional<std::pair<Range, Range>> ranges(const TextPlot& plot) {
  std::vector<double> x;
  std::vector<double> y;
  for (const PlotSeries& series : plot.series) {
    for (const auto& point : series.points) {
      if (!drawable(plot, point)) continue;
      x.push_back(point.first);
      y.push_back(point.second);
    }
  }
  if (x.empty()) return std::nullopt;
  const auto [x_low, x_high] = std::minmax_element(x.begin(), x.end());
  const auto [y_low, y_high] = std::minmax_element(y.begin(), y.end());
  const bool near_zero = !plot.log_y && *y_low > 0.0 && *y_low < 0.5 * *y_high;
  return std::pair{Range{*x_low, *x_high},
                   Range{plot.lowest_y.value_or(near_zero ? 0.0 : *y_low), plot.highest_y.value_or(*y_high)}};
}

std::string tick(double value) {
  return number_text(value, 3);
}

/// The values below the canvas: at both ends and in the middle.
std::string x_ticks(const Axis& axis, std::size_t width) {
  std::string line(width, ' ');
  const auto put = [&](double share) {
    const std::string text = tick(axis.value_at(share));
    const double centre = share * static_cast<double>(width - 1) - static_cast<double>(text.size()) * share;
    const auto at = static_cast<std::size_t>(std::max(0.0, std::round(centre)));
    if (at + text.size() <= width + 1) line.replace(at, std::min(text.size(), width - at), text);
  };
  put(0.0);
  put(0.5);
  put(1.0);
  return line;
}

}  // namespace

bool better_logarithmic(const std::vector<double>& values) {
  if (values.empty()) return false;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low > 0.0 && *high > factor_of_logarithms * *low;
}

std::string plot_text(const TextPlot& plot) {
  const auto found = ranges(plot);
  if (!found) return "";
  const Axis x(found->first.low, found->first.high, plot.log_x, plot.width);
  const Axis y(found->second.low, found->second.high, plot.log_y, plot.height);
  std::vector<std::string> canvas(plot.height, std::string(plot.width, ' '));
  for (const double line : plot.lines)
    if (const auto row = y.cell(line)) canvas[*row].assign(plot.width, '-');
  for (const PlotSeries& series : plot.series) {
    for (const auto& point : series.points) {
      if (!drawable(plot, point)) continue;
      const auto row = y.cell(point.second);
      const auto column = x.cell(point.first);
      if (row && column) canvas[*row][*column] = series.mark;
    }
  }
  // The three values of the axis: at both ends, and in the middle line.
  const auto label = [&](std::size_t row) {
    if (row != 0 && row + 1 != plot.height && row != plot.height / 2) return std::string();
    return tick(y.value_at(static_cast<double>(row) / static_cast<double>(plot.height - 1)));
  };
  std::size_t widest = 0;
  for (std::size_t row = 0; row < plot.height; ++row) widest = std::max(widest, label(row).size());
  std::string text = "  " + std::string(widest, ' ') + " " + plot.y_title + "\n";
  for (std::size_t row = plot.height; row-- > 0;) {
    const std::string value = label(row);
    text += "  " + right_aligned(value, widest) + " |" + std::string(trimmed_end(canvas[row])) + "\n";
  }
  text += "  " + std::string(widest, ' ') + " +" + std::string(plot.width, '-') + "\n";
  text += "  " + std::string(widest, ' ') + "  " + x_ticks(x, plot.width) + "  " + plot.x_title + "\n";
  return text;
}

namespace {

constexpr std::array<const char*, 9> heights{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr double eighths_of_a_line = 8.0;
constexpr std::size_t widest_canvas = 64;
constexpr std::size_t narrowest_canvas = 24;
constexpr std::size_t beside_the_canvas = 14;
constexpr double steps_of_axis = 5.0;
constexpr int tick_digits = 4;
const std::string block_colour = "\033[38;5;36m";
const std::string colour_end = "\033[0m";

/// The values at both ends of the upward axis.
struct AxisEnds {
  double low = 0.0;
  double high = 1.0;
};

/// 1, 2, 2.5 or 5 times a power of ten, at least so much.
double round_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0})
    if (factor * power >= least * (1.0 - 1e-9)) return factor * power;
  return 10.0 * power;
}

AxisEnds upward_axis(const BlockPlot& plot) {
  double low = plot.curve.front().second;
  double high = low;
  const auto see = [&](double y) {
    if (!std::isfinite(y)) return;
    low = std::min(low, y);
    high = std::max(high, y);
  };
  for (const auto& [x, y] : plot.curve) see(y);
  for (const BlockPoint& point : plot.points) see(point.y);
  if (plot.from_zero || (low > 0.0 && low < 0.5 * high)) low = std::min(low, 0.0);
  const double scale = std::max(std::abs(low), std::abs(high));
  if (!(high - low > 1e-9 * scale)) {
    // A constant lies in the middle.
    const double margin = scale == 0.0 ? 1.0 : 0.5 * scale;
    return {.low = low - margin, .high = high + margin};
  }
  const double step = round_step((high - low) / steps_of_axis);
  // Where the axis does not begin at 0, the lowest value still has something to be seen of it.
  const double lowest = low == 0.0 ? 0.0 : std::floor(low / step - 0.05) * step;
  return {.low = lowest, .high = std::ceil(high / step * (1.0 - 1e-12)) * step};
}

double curve_at(const std::vector<std::pair<double, double>>& curve, double x) {
  const auto next = std::lower_bound(curve.begin(), curve.end(), x,
                                     [](const auto& point, double value) { return point.first < value; });
  if (next == curve.begin()) return next->second;
  if (next == curve.end()) return curve.back().second;
  const auto before = std::prev(next);
  const double share = (x - before->first) / (next->first - before->first);
  return before->second + share * (next->second - before->second);
}

using Canvas = std::vector<std::vector<std::string>>;  // (lines from the bottom, columns)

void draw_blocks(Canvas& canvas, const BlockPlot& plot, const Axis& across, const AxisEnds& upwards) {
  const double eighths = eighths_of_a_line * static_cast<double>(plot.height);
  for (std::size_t column = 0; column < plot.width; ++column) {
    const double y = curve_at(plot.curve, across.value_in(column));
    const double share = std::clamp((y - upwards.low) / (upwards.high - upwards.low), 0.0, 1.0);
    const auto height = static_cast<std::size_t>(std::lround(share * eighths));
    for (std::size_t line = 0; line < plot.height; ++line)
      canvas[line][column] = heights[std::min<std::size_t>(8, height - std::min(height, 8 * line))];
  }
}

void draw_points(Canvas& canvas, const BlockPlot& plot, const Axis& across, const AxisEnds& upwards) {
  const auto lines = static_cast<double>(plot.height);
  for (const BlockPoint& point : plot.points) {
    const std::optional<std::size_t> column = across.cell(point.x);
    if (!column || !std::isfinite(point.y)) continue;
    const double share = (point.y - upwards.low) / (upwards.high - upwards.low);
    const double line = std::clamp(std::floor(share * lines), 0.0, lines - 1.0);
    canvas[static_cast<std::size_t>(line)][*column] = point.filled ? "●" : "○";
  }
}

bool is_block(const std::string& cell) {
  return cell != " " && cell != "●" && cell != "○";
}

std::string canvas_line(const std::vector<std::string>& cells, TextStyle style) {
  std::size_t end = cells.size();
  while (end > 0 && cells[end - 1] == " ") --end;
  std::string line;
  bool coloured = false;
  for (std::size_t i = 0; i < end; ++i) {
    const bool block = style.colour && is_block(cells[i]);
    if (block != coloured) line += block ? block_colour : colour_end;
    coloured = block;
    line += cells[i];
  }
  return line + (coloured ? colour_end : "");
}

/// The values below the canvas: at both ends and in the middle.
std::string across_ticks(const Axis& across, std::size_t width) {
  std::string line(width, ' ');
  for (const double share : {0.0, 0.5, 1.0}) {
    const auto column = static_cast<std::size_t>(std::lround(share * static_cast<double>(width - 1)));
    const std::string text = compact_number(across.value_in(column), tick_digits);
    const double from = static_cast<double>(column) - share * static_cast<double>(text.size() - 1);
    const auto at = static_cast<std::size_t>(std::max(0.0, std::round(from)));
    if (at + text.size() <= width) line.replace(at, text.size(), text);
  }
  return std::string(trimmed_end(line));
}

std::string mark_line(const BlockPlot& plot, const Axis& across, const std::string& indent) {
  const std::optional<std::size_t> column = plot.mark ? across.cell(*plot.mark) : std::nullopt;
  if (!column) return "";
  const std::size_t words = width_of(plot.mark_words);
  // The words stand on the side where there is room.
  if (*column + 2 + words > plot.width && *column > words)
    return indent + std::string(*column - words - 1, ' ') + plot.mark_words + " ▲\n";
  return indent + std::string(*column, ' ') + "▲ " + plot.mark_words + "\n";
}

}  // namespace

std::optional<std::size_t> canvas_width(TextStyle style) {
  if (style.width < narrowest_canvas + beside_the_canvas) return std::nullopt;
  return std::min(widest_canvas, style.width - beside_the_canvas);
}

std::string block_plot(const BlockPlot& plot, TextStyle style) {
  if (plot.curve.size() < 2 || !(plot.curve.back().first > plot.curve.front().first)) return "";
  const Axis across(plot.curve.front().first, plot.curve.back().first, plot.log_x, plot.width);
  const AxisEnds upwards = upward_axis(plot);
  Canvas canvas(plot.height, std::vector<std::string>(plot.width, " "));
  draw_blocks(canvas, plot, across, upwards);
  draw_points(canvas, plot, across, upwards);

  // A value stands beside the upper edge of its line; the lowest beside the axis itself.
  const std::string top = compact_number(upwards.high, tick_digits);
  const std::string middle = compact_number((upwards.low + upwards.high) / 2.0, tick_digits);
  const std::string bottom = compact_number(upwards.low, tick_digits);
  const std::size_t widest = std::max({top.size(), middle.size(), bottom.size()});
  const auto label = [&](const std::string& text) { return "  " + right_aligned(text, widest) + " "; };
  std::string text = "  " + plot.y_title + "\n";
  for (std::size_t line = plot.height; line-- > 0;) {
    const std::string value = line + 1 == plot.height ? top : line + 1 == plot.height / 2 ? middle : "";
    text += label(value) + (value.empty() ? "│" : "┤") + canvas_line(canvas[line], style) + "\n";
  }
  const std::string indent(widest + 4, ' ');
  text += label(bottom) + "└" + repeated("─", plot.width) + "\n";
  text += mark_line(plot, across, indent);
  text += indent + across_ticks(across, plot.width) + "\n";
  return text + indent + right_aligned(plot.x_title, plot.width) + "\n";
}

}  // namespace saturn
