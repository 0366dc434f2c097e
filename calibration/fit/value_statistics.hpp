#pragma once

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

}  // namespace saturn
