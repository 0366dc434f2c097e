#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "scenarios/scenario.hpp"
#include "scenarios/topology/cell.hpp"
#include "sim/formula/system.hpp"
#include "sim/run/replications.hpp"

/// Large farms, answered by a small part of them that is checked against a larger one: docs/models/cells.md.

namespace saturn {

/// Streams of the smallest cell that answers for a farm [1].
inline constexpr double least_cell_streams = 1000.0;
/// Requests of a run above which a farm is answered by a cell [1].
inline constexpr double large_farm_requests = 1e7;

/// The smallest cell with at least so many streams for which formulas say the same as for the farm, stream by stream:
/// unloaded event time and bound, up to a quarter of the asked precision, by which counts may be rounded as well. Among
/// cells up to twice as large the first that needs no rounding is taken.
/// @returns nothing where no cell of at most half the farm is so
/// Cost: some ms at most, whatever the size of the farm
std::optional<FarmCell> find_cell(const System& farm, double least_streams);

/// replicate_with(), but farms that are large are answered by a cell: two sizes are simulated, the larger one four
/// times the smaller (where the farm has none, twice), and then larger ones until two agree: what their difference d
/// leaves to expect of still larger ones, d/(r − 1) for sizes in the ratio r where it falls like one over the size, is
/// within the asked precision, or d within what chance explains. The larger one then answers. Where none do, the whole
/// is simulated; where that is too large to end, the largest cell answers without having reached the precision.
/// Results::cell says which it was, and every interval holds what the two sizes leave open of its own number
/// (widen_by_size()). Farms without a cell are simulated whole.
std::vector<std::variant<Replicated, RunFailure>> replicate_by_cells(const Simulator& simulator,
                                                                     std::span<const Scenario> scenarios,
                                                                     const RunOptions& options);

}  // namespace saturn
