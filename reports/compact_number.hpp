#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/shown_unit.hpp"

/// Numbers where there is little room: axis labels and cells of a heat map.
namespace saturn {

/// A number with at most so many significant digits, no trailing zeros and no commas: "0.5", "1719", "1e-7".
/// @param value  finite
std::string compact_number(double value, int significant_digits);

/// "s", "1/s", "B/s": a unit of the ends of names as people write it.
/// @param unit  "s", "per_s", "bytes_per_s"
std::string written_unit(const std::string& unit);

/// The units in which people may read numbers of a unit, the coarsest first; at least the unit itself.
/// @param unit  "s", "bytes", "bytes_per_s", "per_s", anything else
std::vector<ShownUnit> readable_units(const std::string& unit);

/// Of these the one that makes the widest of the numbers the shortest.
/// @param values              finite
/// @param significant_digits  that each is printed with
ShownUnit handiest_unit(std::span<const double> values, const std::string& unit, int significant_digits);

/// "rtt [ms]", or the name alone where there is no unit.
std::string name_with_unit(const std::string& name, const std::string& unit);

}  // namespace saturn
