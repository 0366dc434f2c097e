#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/fit/fit.hpp"

namespace saturn {

/// Mean, unbiased standard deviation and the like of at least one value.
struct Sample {
  double n = 0.0;
  double mean = 0.0;
  double sd = 0.0;  ///< 0 for one value
};
Sample sample_of(std::span<const double> values);

/// Median, least, most and standard deviation of at least one value.
ValueSpread spread_of(std::span<const double> values);

/// Anderson and Darling's A² of a normal law with estimated mean and deviation, with Stephens' factor for small n.
/// @param values  (n >= 3) not all equal
/// Source  R. B. D'Agostino, M. A. Stephens, Goodness-of-Fit Techniques (1986), table 4.7
double normality_a2(std::span<const double> values);
inline constexpr double a2_at_5_percent = 0.752;
inline constexpr double a2_at_1_percent = 1.035;

/// Standard error and 95 % interval of a mean by studentised bootstrap; from 2,000 values on by the central limit.
struct BootstrappedMean {
  double standard_error = 0.0;
  ParameterInterval interval{};
};
BootstrappedMean bootstrap_mean(std::span<const double> values);

/// Student's two-sided 95 % quantile.
double student_95(double degrees_of_freedom);

/// Refuses values that are not finite, negative, or 0 where 0 is not allowed.
/// @throws InputError  calibration.too_few_points, calibration.bad_value
void demand_sound_values(std::span<const double> values, const std::string& label, bool zero_allowed);

// Distributions and means of single values.

/// Fits the distribution of times: gamma (shape by the likelihood given the mean, which is not biased) and lognormal,
/// chosen by Akaike's criterion; a law that the Anderson-Darling test rejects at 1 % is out, and when both are (from 20
/// values on), or a value is 0, the values themselves stand for the law. Times that are all equal: "constant". Fewer
/// than 8: gamma, because nothing could tell.
/// The first value is left out when it alone is far above the others (an event that initialises things: above three
/// medians and 5 robust standard deviations in log scale); others like it are only named.
/// @param times  [s] in the order in which they were measured
/// @param label  where they come from, for notes and complaints
/// @returns parameters "mean" [s] and "cv" [1]; empirical and constant: "mean" alone
/// @throws InputError  calibration.too_few_points (none), calibration.bad_value (negative or not finite, or all 0)
/// Source  Anderson-Darling for any law: G. Chen, N. Balakrishnan, J. Quality Technology 27 (1995) 154; interval of the
/// gamma shape:
///         L. J. Bain, M. Engelhardt, JASA 70 (1975) 948; of the lognormal mean: U. Olsson, J. Statistics Education 13
///         (2005)
Fit fit_times(std::span<const double> times, const std::string& label = "");

/// The gamma law of times of which only a summary is known; without a standard deviation a constant of unknown error.
/// @param mean   [s] > 0
/// @param sd     [s] >= 0, of the single times
/// @param count  of the times
/// @throws InputError  calibration.bad_value, calibration.too_few_points (count 0)
Fit fit_times_summary(double mean, std::optional<double> sd, std::size_t count, const std::string& label = "");

/// Fits the mean of values in the order of time, such as round trips or intervals of a transfer. The interval is
/// Student's; where the values are clearly not normal (Anderson-Darling, 5 %), a bootstrapped one; either widened for
/// what neighbours have in common.
/// @param values  > 0
/// @returns parameter "mean", and sd, median, least, most as spread
/// @throws InputError  calibration.too_few_points (none), calibration.bad_value (not finite or not above 0)
/// Source  bootstrap-t: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap (1993), ch. 12
Fit fit_mean(std::span<const double> values, const std::string& label = "");

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
