#pragma once

#include <cstdint>
#include <span>
#include <string>
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

}  // namespace saturn
