#pragma once

#include <string>

#include "models/words/quantities.hpp"
#include "reports/heat_map_grids.hpp"
#include "reports/text_table.hpp"

namespace saturn {

/// The curve of one grid over its only axis, drawn with blocks. Empty unless the style has pictures, and where fewer
/// than three values of the axis are numbers with a number of the metric, or a value is a word.
/// @param axis_unit  of the axis' numbers, "s"
/// @param unit       in which the metric is shown
std::string sweep_curve(const HeatGrids& grids, const HeatGrid& grid, const std::string& axis_unit,
                        const ShownUnit& unit, TextStyle style);

}  // namespace saturn
