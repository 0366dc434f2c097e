#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/laws/random_stream.hpp"

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

/// Draws one set of parameters as it may be in truth: multivariate normal, or Student's t when there are degrees of
/// freedom. A parameter without variance keeps its value. Parameters fitted as > 0 stay so, and those
/// held at 0 do not go below: a set with another one is drawn anew, that is, the distribution is cut at 0.
/// @returns (n) in the order and units of the parameters
/// @throws std::invalid_argument  values, names and covariance that do not belong together, not finite, or negative
///                                variances
/// Cost: an eigenvalue problem of the size n, and n + 1 numbers of the stream for each try
std::vector<double> draw_parameters(const FittedParameters& fitted, RandomStream& stream);

/// Square root of the parameter's variance.
/// @throws std::invalid_argument  as draw_parameters, or no parameter of that index
double standard_error(const FittedParameters& fitted, std::size_t index);

/// Two-sided interval of a parameter: its own 95 % interval where it has one, scaled in proportion of the quantiles for
/// another confidence; else value ± quantile · standard error.
/// @param confidence  in (0, 1)
/// @throws std::invalid_argument  as draw_parameters, no parameter of that index, or a confidence outside (0, 1)
ParameterInterval interval(const FittedParameters& fitted, std::size_t index, double confidence);

// How the uncertainty of fitted parameters is spread over a few draws, and what differences between runs tell of it.
// How: docs/models/calibration-draws.md.

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
