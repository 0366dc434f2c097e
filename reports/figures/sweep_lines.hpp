#pragma once

#include <cstddef>

#include "reports/figures/figure.hpp"
#include "reports/figures/figures.hpp"
#include "reports/heat_map_grids.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// Most lines of one figure: so many colours can be told apart.
inline constexpr std::size_t most_sweep_lines = 7;

/// A metric of a sweep over one axis: lines with their intervals over numbers, points with theirs over words; one line
/// for each combination of the other axes, at most `most_sweep_lines`. Points without a value are marked at the bottom.
/// @param grids  of a metric that is a number, with x and without y
Figure sweep_lines_figure(const SweepTable& table, const HeatGrids& grids, const FigureContext& context);

}  // namespace saturn
