#pragma once

#include <string>

#include "models/words/quantities.hpp"
#include "reports/sweep/heat_map.hpp"
#include "reports/tables/text_plot.hpp"
#include "reports/tables/text_table.hpp"

namespace saturn {

/// The bars of one grid over its only axis: label, number with its interval, bar. Of more than some 60 values every
/// k-th has a line. Bars begin at 0; on a logarithmic scale, at the lowest value.
std::string sweep_bars(const HeatGrids& grids, const HeatGrid& grid, const ValueScale& scale, const ShownUnit& unit,
                       TextStyle style);

/// "121.2 ± 0.3", "~121.2 ± 0.3" where it is less precise than asked, a word, or why there is neither.
std::string cell_text(const HeatGrids& grids, const HeatCell& cell, double factor);

/// "One in 3 of the 200 values of streams is shown."; empty where all are.
std::string thinned_sentence(const ShownAxis& axis, std::size_t shown);

/// The same of the bars' lines.
std::string thinned_bars_sentence(const ShownAxis& axis);

/// The curve of one grid over its only axis, drawn with blocks. Empty unless the style has pictures, and where fewer
/// than three values of the axis are numbers with a number of the metric, or a value is a word.
/// @param axis_unit  of the axis' numbers, "s"
/// @param unit       in which the metric is shown
std::string sweep_curve(const HeatGrids& grids, const HeatGrid& grid, const std::string& axis_unit,
                        const ShownUnit& unit, TextStyle style);

}  // namespace saturn
