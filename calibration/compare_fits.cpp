#include "calibration/compare_fits.hpp"

#include <algorithm>
#include <cmath>

#include "calibration/fit/estimates.hpp"
#include "calibration/fitted_law.hpp"
#include "models/parameter_draws.hpp"
#include "models/words/numbers.hpp"

namespace saturn {

namespace {

constexpr double compared_confidence = 0.95;
// Sizes that follow from Little's law differ a little.
constexpr double common_size = 1.05;

struct ValueWithError {
  double value = 0.0;
  double standard_error = 0.0;
  double degrees_of_freedom = 0.0;
};

/// T(b) with the error that the parameters' covariance gives it, by differences.
ValueWithError time_at(const Fit& fit, double items) {
  const FittedParameters& parameters = fit.parameters;
  const std::size_t n = parameters.values.size();
  const auto time = [&](const std::vector<double>& values) { return mean(service_law_of(fit, values), items).value; };
  std::vector<double> slope(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double step = 1e-3 * std::max(standard_error(parameters, i), 1e-6 * std::abs(parameters.values[i]));
    if (!(step > 0.0)) continue;
    std::vector<double> moved = parameters.values;
    moved[i] += step;
    slope[i] = (time(moved) - time(parameters.values)) / step;
  }
  double variance = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) variance += slope[i] * slope[j] * parameters.covariance[i * n + j];
  return {.value = time(parameters.values),
          .standard_error = std::sqrt(std::max(variance, 0.0)),
          .degrees_of_freedom = parameters.degrees_of_freedom};
}

Estimate estimate_of(const ValueWithError& one) {
  const FittedParameters as_parameter{.names = {"value"},
                                      .values = {one.value},
                                      .covariance = {one.standard_error * one.standard_error},
                                      .degrees_of_freedom = one.degrees_of_freedom};
  const ParameterInterval found = interval(as_parameter, 0, compared_confidence);
  return {.mean = one.value, .low = found.low, .high = found.high, .confidence = compared_confidence};
}

std::optional<SourceComparison> compared(const std::string& quantity, const std::string& first, const ValueWithError& a,
                                         const std::string& second, const ValueWithError& b) {
  const auto usable = [](const ValueWithError& one) { return one.value > 0.0 && one.standard_error > 0.0; };
  if (!usable(a) || !usable(b)) return std::nullopt;
  const EstimateComparison comparison = compare_estimates({.from = second,
                                                           .value = b.value,
                                                           .standard_error = b.standard_error,
                                                           .degrees_of_freedom = b.degrees_of_freedom},
                                                          {.from = first,
                                                           .value = a.value,
                                                           .standard_error = a.standard_error,
                                                           .degrees_of_freedom = a.degrees_of_freedom});
  return SourceComparison{.quantity = quantity,
                          .first = first,
                          .second = second,
                          .first_value = estimate_of(a),
                          .second_value = estimate_of(b),
                          .factor = {.mean = comparison.factor,
                                     .low = comparison.factor_95.low,
                                     .high = comparison.factor_95.high,
                                     .confidence = compared_confidence},
                          .p = comparison.p,
                          .contradict = comparison.verdict == Agreement::contradict};
}

ValueWithError first_parameter(const Fit& fit) {
  return {.value = fit.parameters.values.at(0),
          .standard_error = standard_error(fit.parameters, 0),
          .degrees_of_freedom = fit.parameters.degrees_of_freedom};
}

}  // namespace

std::optional<SourceComparison> compare_laws(const std::string& model, const SourcedFit& first,
                                             const SourcedFit& second) {
  const double low = std::max(first.fit.x_low, second.fit.x_low);
  const double high = std::min(first.fit.x_high, second.fit.x_high);
  // Where no size was measured by both, one of them would have to be extrapolated.
  if (low > common_size * high) return std::nullopt;
  const double items = std::max(1.0, std::round(std::sqrt(low * high)));
  return compared("time of a batch of " + significant(items, 3) + " items of " + model + " [s]", first.source,
                  time_at(first.fit, items), second.source, time_at(second.fit, items));
}

std::optional<SourceComparison> compare_means(const std::string& quantity, const SourcedFit& first,
                                              const SourcedFit& second) {
  return compared(quantity, first.source, first_parameter(first.fit), second.source, first_parameter(second.fit));
}

}  // namespace saturn
