#include "reports/shown_unit.hpp"

#include <cmath>

namespace saturn {

ShownUnit shown_unit(double value, const std::string& unit) {
  const double size = std::abs(value);
  if (unit == "s") {
    if (size >= 1.0 || size == 0.0) return {.name = "s", .factor = 1.0};
    if (size >= 1e-3) return {.name = "ms", .factor = 1e3};
    return {.name = "us", .factor = 1e6};
  }
  if (unit == "B/s") {
    const double bits = 8.0 * size;
    if (bits >= 1e9) return {.name = "Gbps", .factor = 8e-9};
    if (bits >= 1e6) return {.name = "Mbps", .factor = 8e-6};
    return {.name = "kbps", .factor = 8e-3};
  }
  return {.name = unit, .factor = 1.0};
}

}  // namespace saturn
