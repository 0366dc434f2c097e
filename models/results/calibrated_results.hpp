#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/laws/parameter_spread.hpp"
#include "models/results/results.hpp"
#include "models/results/run_outcome.hpp"

namespace saturn {

/// Runs with drawn parameters of one fit, all else as in the replications that they share their random numbers with.
struct DrawnRuns {
  std::string about{};                    ///< of the fit
  double factor = 0.0;                    ///< from a standard deviation to the half-width, interval_factor()
  ParameterDraws draws{};                 ///< (draws)
  std::vector<RunOutcome> outcomes{};     ///< (draws)
  std::vector<std::uint32_t> partners{};  ///< (draws) replication with the fitted values and the same random numbers
};

/// Widens every interval of results by what the fits leave open: half-widths of fits and of the simulation are
/// independent, so their squares add up. Estimates stay those at the fitted values; relative_half_width stays that of
/// the simulation.
/// @param replications  (n) what the results are of
/// @param fits          none: the results stay as they are, to the last bit
void widen(Results& results, std::span<const RunOutcome> replications, std::span<const DrawnRuns> fits);

/// The estimate with half-widths of fits added to its interval.
void widen(Estimate& estimate, std::vector<CalibrationShare> calibration);

/// Whose share of an interval widen_by_size() adds.
inline constexpr std::string_view size_of_cell = "the size of the cell";

/// Widens every interval of what a cell says of a farm by what a smaller cell leaves to expect: a number that falls
/// like one over the size differs from that of the farm by |d|/(ratio − 1), where d is by how much the two cells
/// differ. That is no chance, so it is added to the half-width. No share reaches beyond 1, and nothing that is not
/// negative below 0. Estimates stay those of the cell; relative_half_width stays that of the simulation.
/// @param results  of the farm, by the larger cell
/// @param smaller  of the same farm, by the smaller cell
/// @param ratio    of their sizes, > 1 [1]
/// @throws std::logic_error  the two are not of one farm
void widen_by_size(Results& results, Results smaller, double ratio);

/// What widen_by_size() added to the half-width; 0 where it did not.
double left_by_size(const Estimate& estimate);

}  // namespace saturn
