#pragma once

#include <string>

#include "models/words/quantities.hpp"
#include "reports/heat_map_grids.hpp"
#include "reports/text_table.hpp"
#include "reports/value_scale.hpp"

namespace saturn {

/// The bars of one grid over its only axis: label, number with its interval, bar. Of more than some 60 values every
/// k-th has a line. Bars begin at 0; on a logarithmic scale, at the lowest value.
std::string sweep_bars(const HeatGrids& grids, const HeatGrid& grid, const ValueScale& scale, const ShownUnit& unit,
                       TextStyle style);

/// "121.2 ± 0.3", "~121.2 ± 0.3" where it is less precise than asked, a word, or why there is neither.
std::string cell_text(const HeatGrids& grids, const HeatCell& cell, double factor);

/// "One in 3 of the 200 values of clients is shown."; empty where all are.
std::string thinned_sentence(const ShownAxis& axis, std::size_t shown);

/// The same of the bars' lines.
std::string thinned_bars_sentence(const ShownAxis& axis);

}  // namespace saturn
