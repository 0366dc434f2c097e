#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "reports/figures/maps/heat_map_figure.hpp"
#include "reports/sweep/heat_map.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

// A sweep's metric over two axes as a field.

/// What each cell carries besides its value: all of it at 10,000 points would not fit into a page.
struct MapDetail {
  bool intervals = true;
  bool curves = false;     ///< the metric along a third axis of numbers; without one, along x
  bool breakdown = false;  ///< of a request's time
};

/// Whether all values are finite numbers, no two of them the same.
bool is_numeric(const ShownAxis& axis);

/// An axis of a map; one of words where not all values are finite numbers.
/// @param column  of the table's axes
MapAxis map_axis(const SweepTable& table, const ShownAxis& axis, std::size_t column);

/// Why a cell has no number, or word: "not computed yet", "out of time: ...", "not part of the sweep".
std::string why_no_value(const HeatCell* cell);

/// One of the maps of a metric that is a number.
/// @param grids  with both axes
FieldMap sweep_map(const SweepTable& table, const HeatGrids& grids, const HeatGrid& grid, const MapDetail& detail);

}  // namespace saturn
