#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/laws/parameter_spread.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

// Where a parameter of a fit stands in the fit's value.

/// The dimension of a parameter's unit, "s", "B/s", "B" or "1/s"; nothing for another unit, and for a bare number.
std::optional<Dimension> fitted_dimension(const std::string& unit);

/// The parameter as its place says it, in the parameter's unit. A rate in the place of a duration stands there as the
/// time of one; a duration in the place of a list of durations is their mean.
/// @returns nothing when the place holds something else
std::optional<double> standing_value(const Node& place, const std::string& unit);

/// Writes another value there: the list's durations keep their proportions.
/// @param place  for which standing_value() has an answer
void put_value(Node& place, const std::string& unit, double value);

/// What the file's "schema" must say.
inline constexpr const char* fitted_schema_name = "saturn-fitted/1";

/// Most parameters of one fit: each draw solves an eigenvalue problem of that size.
inline constexpr std::size_t most_fitted_parameters = 100;

/// Decodes one fit of a fitted parameter file.
/// @param fit   the object behind its name
/// @param name  of the fit
/// @param used  JSON pointer of the scenario's place, which becomes unsound with every complaint
/// @returns nothing after a complaint; `file` and `places` are left to the caller
/// Codes: fitted.wrong_type, .missing_key, .unknown_unit, .nowhere, .disagrees, .covariance, .too_many_parameters,
/// .wrong_range, .not_one_line
std::optional<UsedFit> read_fit(const Node& fit, const std::string& name, const std::string& used,
                                ComplaintList& complaints);

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
