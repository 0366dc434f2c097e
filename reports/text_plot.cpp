#include "reports/text_plot.hpp"

#include <algorithm>
#include <cmath>

#include "models/words/texts.hpp"
#include "reports/number_text.hpp"
#include "reports/text_table.hpp"

namespace saturn {

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

  std::optional<std::size_t> cell(double value) const {
    const double share = (scaled(value) - scaled(low_)) / (scaled(high_) - scaled(low_));
    // Rounding must not push the ends of the axis off it.
    if (!(share >= -1e-9) || !(share <= 1.0 + 1e-9)) return std::nullopt;
    const double place = std::clamp(share, 0.0, 1.0) * (cells_ - 1.0);
    return static_cast<std::size_t>(std::lround(place));
  }

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

}  // namespace saturn
