#pragma once

namespace saturn {

/// Distributions of statistics, by Boost.Math, which quantiles.cpp alone includes: each of its distributions takes
/// seconds to compile. "Above" is the upper tail, which keeps its digits where it is small. What lies outside a
/// function's domain (a probability outside [0, 1], a freedom not above 0) throws std::domain_error.

/// The value that a standard normal variable stays below with the probability.
double normal_quantile(double probability);
/// The value that a standard normal variable exceeds with the probability `tail`.
double normal_quantile_above(double tail);
/// Chance that a standard normal variable exceeds the value.
double normal_above(double value);

/// Student's t with so many degrees of freedom, which need not be whole.
double student_below(double degrees_of_freedom, double value);
double student_above(double degrees_of_freedom, double value);
/// The value that Student's t exceeds with the probability `tail`.
double student_quantile_above(double degrees_of_freedom, double tail);
/// The same; of the normal distribution, the limit of many degrees of freedom, where they are not above 0.
double student_or_normal_quantile_above(double degrees_of_freedom, double tail);

/// chi² with so many degrees of freedom, which need not be whole.
double chi_squared_above(double degrees_of_freedom, double value);
double chi_squared_quantile(double degrees_of_freedom, double probability);

/// Chance that Fisher's F, the ratio of two variances with these degrees of freedom, exceeds the value.
double fisher_f_above(double degrees_above, double degrees_below, double value);

/// @param location, scale  mean and standard deviation of the logarithm
double lognormal_quantile(double location, double scale, double probability);
/// @param shape, scale  their product is the mean
double gamma_quantile(double shape, double scale, double probability);

/// Chance that more than `value` of `trials` succeed, each with the probability.
double binomial_above(double trials, double probability, double value);

/// Derivatives of ln Γ: the first and the second.
double digamma(double x);
double trigamma(double x);

/// Of a double's own digits, without the extended ones that the functions above compute with: for tests and limits that
/// are evaluated thousands of times.
namespace plain {
double normal_quantile(double probability);
double chi_squared_below(double degrees_of_freedom, double value);
double gamma_below(double shape, double scale, double value);
}  // namespace plain

}  // namespace saturn
