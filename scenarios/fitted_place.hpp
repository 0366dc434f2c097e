#pragma once

#include <optional>
#include <string>

#include "scenarios/document.hpp"
#include "scenarios/quantity_text.hpp"

/// Where a parameter of a fit stands in the fit's value.
namespace saturn {

/// The dimension of a parameter's unit, "s", "B/s", "B" or "1/s"; nothing for another unit, and for a bare number.
std::optional<Dimension> fitted_dimension(const std::string& unit);

/// The parameter as its place says it, in the parameter's unit. A rate in the place of a duration stands there as the
/// time of one; a duration in the place of a list of durations is their mean.
/// @returns nothing when the place holds something else
std::optional<double> standing_value(const Node& place, const std::string& unit);

/// Writes another value there: the list's durations keep their proportions.
/// @param place  for which standing_value() has an answer
void put_value(Node& place, const std::string& unit, double value);

}  // namespace saturn
