#pragma once

#include <string>
#include <vector>

namespace saturn {

/// From low to high.
struct ParameterInterval {
  double low = 0.0;
  double high = 0.0;
};

/// Parameters that were fitted together, and how well they are known.
struct FittedParameters {
  std::vector<std::string> names{};  ///< (n)
  std::vector<double> values{};      ///< (n) in SI units
  std::vector<double> covariance{};  ///< (n·n) row by row, symmetric, positive semidefinite
  double degrees_of_freedom = 0.0;   ///< of Student's t in their intervals; 0: the errors were known, so normal
  /// (n) 95 % intervals where those from the covariance would be dishonest (skewed data, a hinge); empty: they are not.
  std::vector<ParameterInterval> intervals_95{};
};

}  // namespace saturn
