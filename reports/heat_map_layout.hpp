#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/words/quantities.hpp"
#include "reports/heat_map_grids.hpp"

namespace saturn {

/// Most characters of a line of a picture.
inline constexpr std::size_t picture_width = 80;

/// How much room each part of a heat map has.
struct HeatMapLayout {
  std::size_t left = 0;           ///< characters before the first column
  std::size_t column = 1;         ///< characters of a column, its gap included
  std::size_t shade = 1;          ///< characters of a column's shade or letter
  int digits = 0;                 ///< significant ones of the numbers; 0: no numbers
  std::vector<std::size_t> xs{};  ///< values of x that have a column
  std::vector<std::size_t> ys{};  ///< values of y that have a line, from the bottom upwards
};

/// The number of a cell: not more digits than its interval makes sense of.
/// @param digits  at most so many significant ones
std::string cell_number(const SweepMetric& metric, const ShownUnit& unit, int digits);

/// The most that fits into the width of a picture: numbers with as many digits as possible, else shades alone, else
/// every k-th column. Lines beyond some 60 are thinned as well.
HeatMapLayout heat_map_layout(const HeatGrids& grids, const ShownUnit& unit);

/// One line with the labels of columns, each ending (numbers) or beginning (shades) where its column does; those for
/// which there is no room are left out.
std::string x_label_line(const HeatMapLayout& layout, const std::vector<std::string>& labels);

/// Marks below the columns whose labels stand in the line below; empty where all columns have theirs.
std::string x_tick_line(const HeatMapLayout& layout, const std::vector<std::string>& labels);

}  // namespace saturn
