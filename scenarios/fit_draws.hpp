#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/parameter_spread.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

/// A scenario with other values of one fit, all else as it was read.
struct DrawnScenario {
  Scenario scenario{};
  std::vector<Override> changes{};  ///< as `--set` options give the same: one a place of the fit
};

/// Scenarios with drawn parameters of one fit.
struct DrawnScenarios {
  ParameterDraws draws{};
  std::vector<DrawnScenario> scenarios{};  ///< (draws)
};

/// Numbers in ReadScenario::fits of the fits that have something to draw.
std::vector<std::size_t> uncertain_fits(const ReadScenario& read);

/// Draws the parameters of one fit with the scenario's seed. A set that the reader refuses, such as a negative time, is
/// drawn anew, up to 100 times; the draws are then no longer matched.
/// @param fit    number in ReadScenario::fits
/// @param count  draws
/// @throws InputError fitted.too_uncertain  all of them are refused
DrawnScenarios drawn_scenarios(const ReadScenario& read, std::size_t fit, std::size_t count);

}  // namespace saturn
