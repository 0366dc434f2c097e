#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Quantities in words: the unit in which people read a number.
namespace saturn {

/// The unit in which people read a number.
struct ShownUnit {
  std::string name{};   ///< "ms", "Gbps"; empty for bare numbers
  double factor = 1.0;  ///< from SI to it
};

/// Seconds as us, ms or s, bytes per second as bits per second with their prefix; other units as they are.
/// @param value  [unit] whose size decides
/// @param unit   "s", "B/s", or anything else
ShownUnit shown_unit(double value, const std::string& unit);

/// "11.8 ms": a time in the unit that suits its size, or `no_value` where it is not finite.
std::string time_text(double seconds, int significant_digits = 4);

/// A number with its unit, or the number alone where there is no unit.
std::string with_unit(const std::string& number, std::string_view unit);

/// "0.032 s": a time as scenarios write it, with the digits that give it back. @param seconds  finite
std::string exact_seconds(double seconds);

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
std::string name_with_unit(std::string_view name, std::string_view unit);

}  // namespace saturn
