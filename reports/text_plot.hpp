#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace saturn {

/// Points drawn with one character.
struct PlotSeries {
  char mark = 'o';
  std::vector<std::pair<double, double>> points{};  ///< (x, y); those that are not finite are left out
};

/// A plot of characters, for terminals and files of text.
struct TextPlot {
  std::string x_title{};  ///< with its unit, "batch [items]"
  std::string y_title{};
  bool log_x = false;                 ///< x are then > 0
  bool log_y = false;                 ///< y are then > 0
  std::vector<PlotSeries> series{};   ///< later ones are drawn over earlier ones
  std::optional<double> lowest_y{};   ///< absent: that of the points, or 0 where that is near
  std::optional<double> highest_y{};  ///< absent: that of the points
  std::vector<double> lines{};        ///< y of horizontal lines
  std::size_t width = 64;             ///< of the canvas [characters], >= 16
  std::size_t height = 14;            ///< of the canvas [lines], >= 3
};

/// The plot with its axes, each line indented by two spaces; empty when no point can be drawn.
std::string plot_text(const TextPlot& plot);

/// True when positive values span so much that a logarithmic axis shows them better: a factor of 30.
bool better_logarithmic(const std::vector<double>& values);

}  // namespace saturn
