#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/laws/parameter_spread.hpp"

namespace saturn {

/// A law of positive times with the parameters "mean" and "cv", fitted to values that are not all equal.
struct TimeLaw {
  std::string name{};
  FittedParameters parameters{};
  double log_likelihood = 0.0;  ///< at its maximum
  double a2 = 0.0;              ///< Anderson and Darling's, against normal after transforming by the law
};

/// Gamma: the shape maximises the likelihood given the mean, ψ(n·a) − ln n − ψ(a) = ln(arithmetic/geometric mean).
/// @param values  (n >= 2) > 0
TimeLaw fit_gamma(std::span<const double> values);

/// Lognormal: mean and unbiased variance of the logarithms. @param values  (n >= 2) > 0
TimeLaw fit_lognormal(std::span<const double> values);

}  // namespace saturn
