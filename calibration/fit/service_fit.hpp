#pragma once

#include <span>
#include <string>
#include <vector>

#include "calibration/fit/fit.hpp"
#include "calibration/fit/linear_squares.hpp"

namespace saturn {

/// Refuses points that are not finite and above 0, all of them at once.
/// @throws InputError  calibration.bad_value, calibration.too_few_points when there are none
void demand_sound_points(std::span<const FitPoint> points);

/// The different sizes, ascending.
std::vector<double> sizes_of(std::span<const FitPoint> points);

/// per_batch + b·per_item.
LinearLaw affine_law();

/// Straight lines between the knots, those at the ends going on; the parameters are the times at the knots.
/// @param knots  two or more, ascending
LinearLaw piecewise_law(std::vector<double> knots);

/// The affine law without its outliers named here.
Fit affine_fit(std::span<const FitPoint> points, const std::vector<std::size_t>& outliers);

/// Two segments, and how much better they are than one.
struct TwoSegments {
  std::vector<double> knots{};  ///< smallest size, the best knot, largest
  WeightedFit fit{};
  std::vector<double> covariance{};  ///< with the doubt about the knot
  double f = 0.0;                    ///< against one segment
  double p = 1.0;                    ///< Bonferroni over the knots
};

/// True when there are sizes enough for a knot, and points enough for an error of two segments.
bool can_have_two_segments(std::span<const FitPoint> points);

/// The best of two segments; its weights are those of the affine law until the knot is found.
TwoSegments best_two_segments(std::span<const FitPoint> points);

/// Two segments in general form.
Fit two_segments_fit(const TwoSegments& best, std::span<const FitPoint> all, const std::vector<std::size_t>& outliers);

/// The measured sizes' law of the points without the outliers.
Fit piecewise_fit(std::span<const FitPoint> all, const std::vector<std::size_t>& outliers);

/// Adds what an outlier is called: "perf.csv:3 (0.012 s at 8) is left out: ...".
void name_outliers(Fit& fit);

/// Notes on the errors of the points: given, estimated, both, or too small.
void note_errors(Fit& fit, const WeightedFit& weighted, std::span<const FitPoint> points);

// Service laws T(b) from measured batch times: x is the size of the batch [item], y its time [s].

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
