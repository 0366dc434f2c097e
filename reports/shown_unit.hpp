#pragma once

#include <string>

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

}  // namespace saturn
