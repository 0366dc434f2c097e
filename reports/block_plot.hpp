#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/text_table.hpp"

namespace saturn {

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
