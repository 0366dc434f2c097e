#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reports/tables/text_table.hpp"

namespace saturn {

/// Which shade, or how long a bar, a value has among others. It never falls as the value grows.
class ValueScale {
 public:
  /// What the values are drawn as. Few shades tell little of what is crowded at one end; the length of a bar tells
  /// more.
  enum class Use { shades, bars };

  /// @param values  finite; none: every value is in the middle
  /// @param alike   what differs is chance, which no shade or bar shall show
  ValueScale(std::span<const double> values, Use use, bool alike = false);

  double low() const { return low_; }
  double high() const { return high_; }
  /// All values are the same, but for rounding errors, or alike.
  bool constant() const { return constant_; }
  /// All values are above 0, and the largest is more than 1,000 times the smallest; for shades, also where it is more
  /// than 10 times that and the median is nearer to the middle of a logarithmic scale than of a linear one.
  bool logarithmic() const { return logarithmic_; }

  /// Where a value lies between the lowest (0) and the highest (1); 0.5 where they are the same.
  double share(double value) const;
  /// @returns  < levels
  std::size_t level(double value, std::size_t levels) const;
  /// The smallest value of a level.
  double begin_of(std::size_t level, std::size_t levels) const;

 private:
  double linear_share(double value) const;
  double logarithmic_share(double value) const;

  double low_ = 0.0;
  double high_ = 0.0;
  bool constant_ = true;
  bool logarithmic_ = false;
};

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

/// A point that stands above the blocks of a curve.
struct BlockPoint {
  double x = 0.0;
  double y = 0.0;
  bool filled = true;  ///< "●", else "○"
};

/// A curve drawn with blocks an eighth of a character high, for terminals that show UTF-8.
struct BlockPlot {
  std::string x_title{};                           ///< with its unit
  std::string y_title{};                           ///< with its unit
  std::vector<std::pair<double, double>> curve{};  ///< (x, y) by ascending x, finite; between them it is straight
  std::vector<BlockPoint> points{};                ///< those outside the curve's x are left out
  bool log_x = false;                              ///< x are then > 0
  bool from_zero = false;                          ///< y begin at 0 wherever they are; else where that is near
  std::optional<double> mark{};                    ///< x of "▲" below the axis
  std::string mark_words{};
  std::size_t width = 64;   ///< of the canvas [characters], >= 16
  std::size_t height = 10;  ///< of the canvas [lines], even, >= 4
};

/// The plot with its axes, each line indented by two spaces; empty where the curve has fewer than two x.
std::string block_plot(const BlockPlot& plot, TextStyle style);

/// The width of a canvas that a style has room for; nothing where it is too narrow for a curve.
std::optional<std::size_t> canvas_width(TextStyle style);

}  // namespace saturn
