#include "calibration/fit/time_laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "calibration/fit/value_statistics.hpp"
#include "models/quantiles.hpp"

namespace saturn {

namespace {

/// Above it the differences of digammas lose their digits, and their first terms are exact to nine digits.
constexpr double large_shape = 1e5;

/// Expected ln(arithmetic/geometric mean) of n gamma variables; n infinite: of the law itself.
double expected_gap(double shape, double n) {
  if (std::isinf(n)) return shape > large_shape ? 0.5 / shape : std::log(shape) - digamma(shape);
  if (shape > large_shape) return 0.5 / shape * (1.0 - 1.0 / n);
  return digamma(n * shape) - std::log(n) - digamma(shape);
}

/// Its variance for n variables.
double variance_of_gap(double shape, double n) {
  if (shape > large_shape) return 0.5 * (n - 1.0) / (n * n * shape * shape);
  return trigamma(shape) / n - trigamma(n * shape);
}

/// Newton's method for the shape in log scale: there the gap falls almost like 1/shape.
double shape_of(double gap, double n) {
  double shape = std::max((std::isinf(n) ? 0.5 : 0.5 * (1.0 - 1.0 / n)) / gap, 1e-3);
  for (int i = 0; i < 50; ++i) {
    const double now = expected_gap(shape, n);
    const double step = 1e-5;
    const double slope = (expected_gap(shape * (1.0 + step), n) - now) / (now * step);
    const double move = std::clamp(std::log(gap / now) / slope, -2.0, 2.0);
    shape *= std::exp(move);
    if (std::abs(move) < 1e-10) break;
  }
  return shape;
}

/// Probability of a gap at most as large: 2·n·shape·gap is nearly a multiple of chi².
double gap_probability(double gap, double shape, double n) {
  const double twice = 2.0 * n * shape;
  const double mean = twice * expected_gap(shape, n);
  const double variance = twice * twice * variance_of_gap(shape, n);
  const double freedom = 2.0 * mean * mean / variance;
  const double scaled = twice * gap * 2.0 * mean / variance;
  // Beyond a double's range lie shapes that no gap makes likely.
  if (!std::isfinite(freedom) || !(freedom > 0.0) || !std::isfinite(scaled)) return shape < 1.0 ? 0.0 : 1.0;
  return plain::chi_squared_below(freedom, scaled);
}

/// The shape at which so small a gap has the given probability.
double shape_limit(double gap, double n, double probability, double centre) {
  double low = std::log(centre) - 12.0;
  double high = std::log(centre) + 12.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (gap_probability(gap, std::exp(middle), n) < probability ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

/// Values as normal ones, if they are gamma variables.
double a2_under_gamma(double shape, double scale, std::span<const double> values) {
  std::vector<double> normal;
  for (const double value : values) {
    const double below = std::clamp(plain::gamma_below(shape, scale, value), 1e-15, 1.0 - 1e-15);
    normal.push_back(plain::normal_quantile(below));
  }
  return normality_a2(normal);
}

}  // namespace

TimeLaw fit_gamma(std::span<const double> values) {
  const Sample sample = sample_of(values);
  double gap = 0.0;
  double logs = 0.0;
  for (const double value : values) {
    const double away = (value - sample.mean) / sample.mean;
    // The sum of `away` is 0; without it the logarithms of values that hardly differ would cancel.
    gap -= (std::log1p(away) - away) / sample.n;
    logs += std::log(value);
  }
  const double shape = shape_of(gap, sample.n);
  const double cv = 1.0 / std::sqrt(shape);
  const double variance_of_shape = 1.0 / (sample.n * sample.n * variance_of_gap(shape, sample.n));
  const double mean_error = sample.mean * cv / std::sqrt(sample.n);
  const double stretch = std::exp(student_95(sample.n - 1.0) * cv / std::sqrt(sample.n));
  const double likeliest = shape_of(gap, std::numeric_limits<double>::infinity());
  TimeLaw law{.name = "gamma"};
  law.parameters = {.names = {"mean", "cv"},
                    .values = {sample.mean, cv},
                    .covariance = {mean_error * mean_error, 0.0, 0.0, 0.25 * std::pow(shape, -3.0) * variance_of_shape},
                    .degrees_of_freedom = sample.n - 1.0,
                    .intervals_95 = {{sample.mean / stretch, sample.mean * stretch},
                                     {1.0 / std::sqrt(shape_limit(gap, sample.n, 0.975, shape)),
                                      1.0 / std::sqrt(shape_limit(gap, sample.n, 0.025, shape))}}};
  law.log_likelihood = sample.n * (likeliest * std::log(likeliest / sample.mean) - std::lgamma(likeliest) - likeliest) +
                       (likeliest - 1.0) * logs;
  // Of such a shape the law is normal to a thousandth of its deviation, and its function costs too many terms.
  constexpr double normal_shape = 1e6;
  if (sample.n >= 3.0)
    law.a2 =
        likeliest > normal_shape ? normality_a2(values) : a2_under_gamma(likeliest, sample.mean / likeliest, values);
  return law;
}

TimeLaw fit_lognormal(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  const Sample sample = sample_of(logs);
  const double n = sample.n;
  const double spread = sample.sd * sample.sd;
  const double mean = std::exp(sample.mean + 0.5 * spread);
  const double cv = std::sqrt(std::expm1(spread));
  const double variance_of_spread = 2.0 * spread * spread / (n - 1.0);
  const double log_error = std::sqrt(spread / n + 0.25 * variance_of_spread);
  const double cv_slope = std::exp(spread) / (2.0 * cv);
  const double both = 0.5 * mean * cv_slope * variance_of_spread;
  const double stretch = std::exp(student_95(n - 1.0) * log_error);
  const auto cv_at = [&](double probability) {
    return std::sqrt(std::expm1((n - 1.0) * spread / chi_squared_quantile(n - 1.0, probability)));
  };
  TimeLaw law{.name = "lognormal"};
  law.parameters = {.names = {"mean", "cv"},
                    .values = {mean, cv},
                    .covariance = {std::pow(mean * log_error, 2), both, both, cv_slope * cv_slope * variance_of_spread},
                    .degrees_of_freedom = n - 1.0,
                    .intervals_95 = {{mean / stretch, mean * stretch}, {cv_at(0.975), cv_at(0.025)}}};
  const double likeliest = spread * (n - 1.0) / n;
  law.log_likelihood = -0.5 * n * (std::log(2.0 * std::numbers::pi * likeliest) + 1.0) - n * sample.mean;
  law.a2 = n >= 3.0 ? normality_a2(logs) : 0.0;
  return law;
}

}  // namespace saturn
