#pragma once

#include <cmath>

namespace saturn::tests {

/// A number as it is printed with so many decimals.
inline double rounded(double value, int decimals) {
  const double scale = std::pow(10.0, decimals);
  return std::round(value * scale) / scale;
}

/// Whether two ways to one number agree, but for rounding errors.
inline bool agree(double one, double other, double relative = 1e-9) {
  return std::abs(one - other) <= relative * std::abs(other) + 1e-13;
}

}  // namespace saturn::tests
