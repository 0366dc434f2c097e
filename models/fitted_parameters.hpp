#pragma once

#include <string>
#include <vector>

namespace saturn {

/// Parameters that were fitted together, and how well they are known.
struct FittedParameters {
  std::vector<std::string> names{};  ///< (n)
  std::vector<double> values{};      ///< (n) in SI units
  std::vector<double> covariance{};  ///< (n·n) row by row, symmetric, positive semidefinite
  double degrees_of_freedom = 0.0;   ///< of Student's t in their intervals; 0: the errors were known, so normal
};

}  // namespace saturn
