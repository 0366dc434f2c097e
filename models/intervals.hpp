#pragma once

#include <span>

#include "models/summary.hpp"

namespace saturn {

/// Two-sided Student-t interval of a mean.
/// @param values      (n) independent, n >= 1
/// @param confidence  in (0, 1)
/// @returns the mean and its interval; with one value the interval is the whole line, because nothing bounds it
/// @throws std::invalid_argument  no values, or a confidence outside (0, 1)
Estimate student_interval(std::span<const double> values, double confidence);

/// Half-width over mean [1] of the interval from means of 20 consecutive batches (of as many as there are values, when
/// fewer).
/// @param series      (n) in the order of time
/// @returns infinity when n < 2 or the mean is 0, because nothing is known then
double batch_means_relative_width(std::span<const double> series, double confidence);

/// Half-width over the mean's size [1]; infinity when the mean is 0.
double relative_half_width(const Estimate& estimate);

}  // namespace saturn
