#include <algorithm>
#include <cmath>

#include "calibration/fit/linear_squares.hpp"
#include "models/quantiles.hpp"

namespace saturn {

namespace {

/// Strict, since a good point left out makes the law look better known than it is.
constexpr double outlier_significance = 0.01;
constexpr std::size_t points_beyond_parameters = 3;

struct Suspect {
  std::size_t index = 0;
  double p = 1.0;
};

std::size_t most_outliers(std::size_t points, std::size_t parameters) {
  if (points <= parameters + points_beyond_parameters) return 0;
  const std::size_t share = points < 8 ? 1 : points / 5;
  return std::min(share, points - parameters - points_beyond_parameters);
}

/// Two-sided p of the point furthest from the law that all others would give.
Suspect furthest(const LinearLaw& law, std::span<const FitPoint> points) {
  const WeightedFit fit = fit_weighted(law, points);
  const double freedom = fit.degrees_of_freedom - 1.0;
  if (!(freedom > 0.0) || !(fit.solution.chi2 > chi2_of_rounding) || !(fit.scale > 0.0)) return {};
  Suspect worst;
  double worst_size = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double room = 1.0 - fit.solution.leverage[i];
    if (room < 1e-9) continue;
    // In units of the unscaled errors.
    const double away = (points[i].y - fit.solution.fitted[i]) / (fit.errors[i] / fit.scale);
    const double deleted = away * away / room;
    const double others = std::max(fit.solution.chi2 - deleted, 0.0);
    const bool others_agree = fit.errors_known && chi_squared_above(freedom, others) > plausible;
    const double size = std::sqrt(deleted / (others_agree ? 1.0 : std::max(others / freedom, 1e-24)));
    if (size <= worst_size) continue;
    worst_size = size;
    worst.index = i;
    worst.p = 2.0 * (others_agree ? normal_above(size) : student_above(freedom, size));
  }
  return worst;
}

}  // namespace

std::vector<std::size_t> find_outliers(const LinearLaw& law, std::span<const FitPoint> points) {
  const std::size_t most = most_outliers(points.size(), law.parameters);
  std::vector<FitPoint> left(points.begin(), points.end());
  std::vector<std::size_t> indices(points.size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  std::vector<std::size_t> taken;
  std::size_t named = 0;
  for (std::size_t k = 0; k < most; ++k) {
    const Suspect suspect = furthest(law, left);
    taken.push_back(indices[suspect.index]);
    if (suspect.p < outlier_significance / static_cast<double>(left.size())) named = k + 1;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(suspect.index));
    indices.erase(indices.begin() + static_cast<std::ptrdiff_t>(suspect.index));
    // Leaving a size out may leave the law without a hold.
    std::vector<double> sizes;
    for (const FitPoint& point : left) sizes.push_back(point.x);
    std::sort(sizes.begin(), sizes.end());
    if (std::unique(sizes.begin(), sizes.end()) - sizes.begin() <= static_cast<std::ptrdiff_t>(law.parameters)) break;
  }
  taken.resize(named);
  return taken;
}

}  // namespace saturn
