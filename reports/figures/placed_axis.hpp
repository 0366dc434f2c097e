#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/figures/field_map.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figure_scale.hpp"

namespace saturn {

/// An axis of a map in the unit that reads best, with the edges of its cells. An axis of words stands at 0, 1, 2, ...
struct PlacedAxis {
  std::string title{};               ///< "round-trip time [ms]"
  std::string name{};                ///< "round-trip time"
  bool words = false;                ///< no order and no distance: no contours
  std::vector<double> centres{};     ///< (n) ascending
  std::vector<double> edges{};       ///< (n + 1) half-way between the centres, geometrically on a logarithmic scale
  std::vector<std::string> texts{};  ///< (n) "11.8 ms", or the word
  FigureScale scale{};               ///< from the first edge to the last
  std::optional<double> present{};   ///< inside the edges
  std::string present_text{};
};

/// Values that do not ascend, or are not finite, become words.
/// @param pixels  length of the axis
PlacedAxis placed_axis(const MapAxis& axis, double pixels);

/// Writes title, scale and ticks into a specification.
/// @param channel  pointer of the channel, "/encoding/x"; its "scale" and "axis" exist
void put_axis(std::vector<SpecChange>& changes, const std::string& channel, const PlacedAxis& axis);

/// Where a map's cell lies, under the heads cell, x, x_low, x_high, x_text, and the same of y.
NamedCells placed_cell(const PlacedAxis& x, std::size_t ix, const PlacedAxis& y, std::size_t iy);

}  // namespace saturn
