#pragma once

#include <cstddef>
#include <vector>

#include "models/fitted_parameters.hpp"
#include "models/random_stream.hpp"

namespace saturn {

/// Draws one set of parameters as it may be in truth: multivariate normal, or Student's t when there are degrees of
/// freedom. A parameter without variance keeps its value. Parameters fitted as > 0 stay so: a set with one at 0 or
/// below is drawn anew, that is, the distribution is cut at 0.
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

}  // namespace saturn
