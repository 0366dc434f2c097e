#pragma once

#include <span>
#include <string>

#include "calibration/fit/fit.hpp"

/// Service laws T(b) from measured batch times: x is the size of the batch [item], y its time [s].
namespace saturn {

/// Fits T(b) = per_batch + b·per_item by weighted least squares (QR). Errors of the points: see fit_weighted. Single
/// outliers are named and left out. A negative per_batch becomes 0, an insignificantly negative per_item as well, each
/// with a note; the covariance stays that of the free fit.
/// @returns parameters "per_batch" [s], "per_item" [s/item]
/// @throws InputError  calibration.bad_value (not finite or not above 0), calibration.too_few_points,
///                     calibration.too_few_sizes (one size), calibration.falling_times (per_item significantly
///                     negative)
Fit fit_affine(std::span<const FitPoint> points);

/// The law through the mean times of all measured sizes, made non-descending.
/// @returns one parameter a size, "T(8)" [s], and the sizes as knots
/// @throws InputError  calibration.bad_value, calibration.too_few_sizes (one size), calibration.too_few_points: neither
///                     errors nor repeats, so that nothing tells the scatter
Fit fit_piecewise(std::span<const FitPoint> points);

/// Two straight parts that meet at one of the measured sizes, by weighted least squares. The covariance holds the doubt
/// about where they meet: it is averaged over all knots by exp(−chi²/2).
/// @returns parameters "T(x)" [s] at the smallest size, the knot and the largest size
/// @throws InputError  calibration.bad_value, calibration.too_few_sizes (fewer than 4), calibration.too_few_points
Fit fit_two_segments(std::span<const FitPoint> points);

/// The law that the data support: affine, unless two segments are better (F-test over all knots, Bonferroni), and the
/// measured sizes themselves where repeats or errors show that neither fits. All at 5 % together. Outliers are named
/// under the law that explains the points with the least information criterion.
/// @throws InputError  as fit_affine
Fit fit_service_law(std::span<const FitPoint> points);

/// One knot's name: "T(8)".
std::string knot_name(double size);

}  // namespace saturn
