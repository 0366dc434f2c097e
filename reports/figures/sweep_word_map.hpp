#pragma once

#include "reports/figures/figure.hpp"
#include "reports/figures/figures.hpp"
#include "reports/heat_map_grids.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// Words over two axes, such as what binds first: a colour and a letter a word, the seven commonest by name.
/// @param grids  of a metric of words, with x and y
/// @param grid   the one that is drawn
Figure sweep_word_map_figure(const HeatGrids& grids, const HeatGrid& grid, const FigureContext& context);

}  // namespace saturn
