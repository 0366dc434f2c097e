#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "calibration/fit/fit.hpp"

namespace saturn {

/// A law that is linear in its parameters: y(x) = Σ value_j · basis_j(x).
struct LinearLaw {
  std::size_t parameters = 0;
  std::function<void(double x, std::span<double> basis)> basis{};  ///< writes the (parameters) basis values at x
};

/// A weighted least-squares solution.
struct LinearSolution {
  std::vector<double> values{};      ///< (p)
  std::vector<double> covariance{};  ///< (p·p) row by row, for the given errors
  std::vector<double> fitted{};      ///< (n)
  std::vector<double> leverage{};    ///< (n) in [0, 1]
  double chi2 = 0.0;
};

/// Minimises Σ ((y − fitted)/error)² by QR of the scaled columns.
/// @param x, y, errors  (n) each, errors > 0, n >= p
/// @throws InputError  calibration.too_few_sizes (columns that depend on each other), calibration.bad_value (numbers
///                     beyond a double's range)
/// @throws std::invalid_argument  fewer points than parameters
LinearSolution solve_linear(const LinearLaw& law, std::span<const double> x, std::span<const double> y,
                            std::span<const double> errors);

/// True of a number above 0 whose square stays within a double's range.
inline bool squarable(double value) {
  return value > 1e-100 && value < 1e100;
}
/// chi² of points that lie on a law but for the last digits.
inline constexpr double chi2_of_rounding = 1e-20;
/// What chi² exceeds by chance with a greater probability than this speaks for the law.
inline constexpr double plausible = 0.01;

/// A linear law fitted to points, whatever they say about their errors.
struct WeightedFit {
  LinearSolution solution{};
  std::vector<double> errors{};  ///< (n) that weighted the points, scaled
  bool errors_known = false;     ///< every point brought its own
  double scale = 1.0;            ///< of the errors: 1, Birge's factor, or the relative scatter
  bool birge = false;            ///< known errors that were too small
  double degrees_of_freedom = 0.0;
};

/// Fits by weighted least squares. Every point with an error: these errors, multiplied by Birge's factor
/// √(chi²/degrees of freedom) when chi² is too large with p < 0.01. No point with an error: one relative error for all,
/// estimated from the residuals (weights 1/fitted², iterated). Some: the others get the median relative error of those,
/// and all are scaled by the residuals.
/// @param points  y > 0
/// @throws InputError  calibration.too_few_points: no residuals to estimate the errors from, or fewer points than
/// parameters
WeightedFit fit_weighted(const LinearLaw& law, std::span<const FitPoint> points);

/// Degrees of freedom for the intervals: 0 (normal) for known errors that are large enough, else those of the
/// residuals.
double interval_freedom(const WeightedFit& fit);

/// The points that do not belong to the law, by externally studentised residuals with p < 0.01/n, in
/// Rosner's order: as many are taken away as may be named, and the last significant one settles how many are, so that
/// two outliers do not hide each other. At most one of fewer than 8, at most a fifth; never leaves fewer than
/// parameters + 3.
/// @returns indices, the worst first
/// Source  B. Rosner, Technometrics 25 (1983) 165; R. D. Cook, S. Weisberg, Residuals and Influence in Regression
/// (1982)
std::vector<std::size_t> find_outliers(const LinearLaw& law, std::span<const FitPoint> points);

/// Takes what a weighted fit says over into the general form.
/// @param kept  (n) which of `all` were fitted; the others are named as outliers
Fit as_fit(const LinearLaw& law, const WeightedFit& fit, std::span<const FitPoint> all,
           const std::vector<std::size_t>& outliers);

/// The points without those of the given indices.
std::vector<FitPoint> without(std::span<const FitPoint> points, const std::vector<std::size_t>& indices);

}  // namespace saturn
