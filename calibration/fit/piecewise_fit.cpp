#include <algorithm>
#include <cmath>

#include "calibration/fit/fit_text.hpp"
#include "calibration/fit/service_fit.hpp"
#include "calibration/fit/service_points.hpp"
#include "models/isotonic.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

/// Times that descend share their mean, and its covariance.
/// @returns the sizes whose times were averaged
std::vector<double> make_non_descending(LinearSolution& solution, const std::vector<double>& sizes) {
  const std::size_t n = solution.values.size();
  std::vector<double> weights;
  for (std::size_t i = 0; i < n; ++i) weights.push_back(1.0 / std::max(solution.covariance[i * n + i], 1e-300));
  const std::vector<double> pooled = non_descending(solution.values, weights);
  std::vector<double> averaged;
  for (std::size_t i = 0; i < n; ++i)
    if (pooled[i] != solution.values[i]) averaged.push_back(sizes[i]);
  if (averaged.empty()) return averaged;
  std::vector<double> share(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    double total = 0.0;
    for (std::size_t j = 0; j < n; ++j) total += pooled[j] == pooled[i] ? weights[j] : 0.0;
    for (std::size_t j = 0; j < n; ++j) share[i * n + j] = pooled[j] == pooled[i] ? weights[j] / total : 0.0;
  }
  std::vector<double> covariance(n * n, 0.0);
  // The times of different sizes are independent, so that only the diagonal counts.
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        covariance[i * n + j] += share[i * n + k] * share[j * n + k] * solution.covariance[k * n + k];
  solution.values = pooled;
  solution.covariance = covariance;
  return averaged;
}

std::string falling_times(const std::vector<double>& averaged, const std::vector<double>& sizes,
                          const std::vector<double>& measured) {
  std::vector<std::string> times;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (std::find(averaged.begin(), averaged.end(), sizes[i]) == averaged.end()) continue;
    times.push_back(knot_name(sizes[i]) + " = " + significant(1e3 * measured[i], 3) + " ms");
  }
  return "Some larger batches were measured as faster, which no law is: neighbours that fall share their mean (" +
         joined(times) + ").";
}

}  // namespace

Fit piecewise_fit(std::span<const FitPoint> all, const std::vector<std::size_t>& outliers) {
  const std::vector<FitPoint> kept = without(all, outliers);
  const std::vector<double> sizes = sizes_of(kept);
  const LinearLaw law = piecewise_law(sizes);
  WeightedFit weighted = fit_weighted(law, kept);
  const std::vector<double> measured = weighted.solution.values;
  const std::vector<double> averaged = make_non_descending(weighted.solution, sizes);
  Fit fit = as_fit(law, weighted, all, outliers);
  fit.law = "piecewise linear";
  fit.knots = sizes;
  for (const double size : sizes) fit.parameters.names.push_back(knot_name(size));
  note_errors(fit, weighted, kept);
  if (!averaged.empty()) fit.notes.push_back(falling_times(averaged, sizes, measured));
  name_outliers(fit);
  return fit;
}

Fit fit_piecewise(std::span<const FitPoint> points) {
  demand_sound_points(points);
  const std::vector<double> sizes = sizes_of(points);
  if (sizes.size() < 2)
    refuse_fit(points.front().label, "calibration.too_few_sizes",
               "The only size is " + significant(points.front().x, 3) +
                   "; a law through measured sizes needs two different ones at least: measure another.");
  const LinearLaw law = piecewise_law(sizes);
  fit_weighted(law, points);
  return piecewise_fit(points, find_outliers(law, points));
}

}  // namespace saturn
