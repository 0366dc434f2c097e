#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/fitted_parameters.hpp"

/// How the uncertainty of fitted parameters is spread over a few draws, and what differences between runs tell of it.
/// How: docs/models/calibration-draws.md.
namespace saturn {

/// Why a matrix is no covariance of the parameters, as the end of a sentence that begins with its name: "is not
/// symmetric: ..."; empty when it is one. Wants (n·n) finite numbers.
std::string covariance_fault(const FittedParameters& fitted);

/// True when every variance is 0: there is nothing to draw.
bool is_exact(const FittedParameters& fitted);

/// Sets of parameters that stand for their normal distribution.
struct ParameterDraws {
  std::vector<std::vector<double>> sets{};  ///< (draws)(n)
  /// (draws)(k) the same as coordinates along the axes of the covariance, in standard deviations; k its rank
  std::vector<std::vector<double>> coordinates{};
  /// The coordinates have mean 0 and covariance 1 to rounding, so that a linear function's spread is exact in any
  /// number of draws above k + 1.
  bool matched = false;
};

/// Draws parameters from their normal distribution (degrees of freedom widen intervals, not draws), each set from its
/// own stream of (seed, draw, group), then turns and stretches the sets so that their mean is the fitted values and
/// their covariance the fitted one. Where that is impossible, because there are too few draws or a value would leave
/// its sign, the sets stay as drawn.
/// @param count  draws, >= 1
/// @param group  number of the fit in the scenario
ParameterDraws spread_draws(const FittedParameters& fitted, std::size_t count, std::uint64_t seed, std::uint32_t group);

/// Standard deviation that the parameters give a number, from how far each draw moved it. Of matched draws the part
/// linear in the coordinates and the mean shift, less what noise alone would show, so that noise of single runs
/// averages out; of others the root mean square.
/// @param moved  (draws) number with the drawn parameters less the number with the fitted ones
double spread_of(const ParameterDraws& draws, std::span<const double> moved);

/// Root of the mean square; of numbers without noise.
double root_mean_square(std::span<const double> moved);

/// Factor from a standard deviation to the half-width of an interval: Student's t of the fit, normal where its errors
/// were known. @param confidence  in (0, 1)
double interval_factor(const FittedParameters& fitted, double confidence);

}  // namespace saturn
