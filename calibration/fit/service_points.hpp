#pragma once

#include <span>
#include <vector>

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

}  // namespace saturn
