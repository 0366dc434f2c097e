#pragma once

#include <cstddef>
#include <vector>

#include "reports/figures/figure.hpp"
#include "reports/figures/figures.hpp"
#include "reports/sweep/heat_map.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// Most lines of one figure: so many colours can be told apart.
inline constexpr std::size_t most_sweep_lines = 7;

/// A metric of a sweep over one axis: lines with their intervals over numbers, points with theirs over words; one line
/// for each combination of the other axes, at most `most_sweep_lines`. Points without a value are marked at the bottom.
/// @param grids  of a metric that is a number, with x and without y
Figure sweep_lines_figure(const SweepTable& table, const HeatGrids& grids, const FigureContext& context);

/// Words over two axes, such as what binds first: a line along x for each value of y, in the colour of the word and
/// with its mark at each point; where it changes colour, the word changes. The seven commonest words by name.
/// @param grids  of a metric of words, with x and y
/// @param grid   the one that is drawn
Figure sweep_word_lines_figure(const SweepTable& table, const HeatGrids& grids, const HeatGrid& grid,
                               const FigureContext& context);

/// Most points of one scatter plot: more would hide each other, and fill the page.
inline constexpr std::size_t most_scattered = 2'000;

/// Every so many-th of the places 0 to n-1, so that no more than `most` are left; all where there are no more.
std::vector<std::size_t> thinned_places(std::size_t n, std::size_t most);

/// A metric of sampled points against one of their axes.
/// @param column  an axis whose values are all numbers
Figure sweep_scatter_figure(const SweepTable& table, const ResolvedView& view, std::size_t column,
                            const FigureContext& context);

}  // namespace saturn
