#include "calibration/fit/estimates.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "models/statistics/quantiles.hpp"

namespace saturn {

namespace {

constexpr double contradiction = 0.01;

void demand_sound(const SourcedEstimate& estimate, bool positive) {
  if (!std::isfinite(estimate.value) || (positive && estimate.value <= 0.0) ||
      !std::isfinite(estimate.standard_error) || estimate.standard_error <= 0.0 ||
      !(estimate.degrees_of_freedom >= 0.0))
    throw std::invalid_argument("estimates: values and errors are finite, errors above 0");
}

double share_of_freedom(double variance, double degrees_of_freedom) {
  return degrees_of_freedom > 0.0 ? variance * variance / degrees_of_freedom : 0.0;
}

double quantile_95(double freedom) {
  return student_or_normal_quantile_above(freedom, 0.025);
}

double two_sided(double size, double freedom) {
  return 2.0 * (freedom > 0.0 ? student_above(freedom, size) : normal_above(size));
}

}  // namespace

EstimateComparison compare_estimates(const SourcedEstimate& a, const SourcedEstimate& b) {
  demand_sound(a, true);
  demand_sound(b, true);
  const double variance_a = std::pow(a.standard_error / a.value, 2);
  const double variance_b = std::pow(b.standard_error / b.value, 2);
  const double variance = variance_a + variance_b;
  const double shares =
      share_of_freedom(variance_a, a.degrees_of_freedom) + share_of_freedom(variance_b, b.degrees_of_freedom);
  EstimateComparison comparison{.factor = a.value / b.value};
  comparison.degrees_of_freedom = shares > 0.0 ? variance * variance / shares : 0.0;
  const double half = quantile_95(comparison.degrees_of_freedom) * std::sqrt(variance);
  comparison.factor_95 = {comparison.factor * std::exp(-half), comparison.factor * std::exp(half)};
  comparison.p = two_sided(std::abs(std::log(comparison.factor)) / std::sqrt(variance), comparison.degrees_of_freedom);
  comparison.contradict = comparison.p < contradiction;
  return comparison;
}

CombinedEstimate combine_estimates(const std::vector<SourcedEstimate>& estimates) {
  if (estimates.empty()) throw std::invalid_argument("combine_estimates: none");
  std::vector<double> weights;
  for (const SourcedEstimate& estimate : estimates) {
    demand_sound(estimate, false);
    weights.push_back(1.0 / (estimate.standard_error * estimate.standard_error));
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  CombinedEstimate combined;
  double excess = 0.0;
  double shares = 0.0;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const double share = weights[i] / total;
    combined.value += share * estimates[i].value;
    if (estimates[i].degrees_of_freedom > 0.0) excess += share * (1.0 - share) / estimates[i].degrees_of_freedom;
    shares += share_of_freedom(share, estimates[i].degrees_of_freedom);
  }
  for (std::size_t i = 0; i < estimates.size(); ++i)
    combined.chi2 += weights[i] * std::pow(estimates[i].value - combined.value, 2);
  combined.standard_error = std::sqrt((1.0 + 4.0 * excess) / total);
  combined.degrees_of_freedom = shares > 0.0 ? 1.0 / shares : 0.0;
  const double freedom = static_cast<double>(estimates.size()) - 1.0;
  if (freedom > 0.0) combined.p = chi_squared_above(freedom, combined.chi2);
  if (combined.p < contradiction) {
    combined.birge = std::sqrt(combined.chi2 / freedom);
    combined.standard_error *= combined.birge;
    combined.degrees_of_freedom = freedom;
  }
  return combined;
}

}  // namespace saturn
