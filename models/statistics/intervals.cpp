#include "models/statistics/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "models/statistics/quantiles.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_batches = 20;
constexpr double most_correlation = 0.9;
constexpr double spent_when_stopped = 0.7;
constexpr double unknown_width = std::numeric_limits<double>::infinity();

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Student's factor of a two-sided interval.
double student_factor(double freedom, double confidence) {
  return student_quantile_above(freedom, (1.0 - confidence) / 2);
}

/// Values with the mean Σ above / Σ below and the spread of that ratio.
std::vector<double> linearised(std::span<const double> above, std::span<const double> below) {
  const double scale = mean_of(below);
  const double ratio = mean_of(above) / scale;
  std::vector<double> values;
  for (std::size_t i = 0; i < above.size(); ++i) values.push_back(ratio + (above[i] - ratio * below[i]) / scale);
  return values;
}

/// By how much the variance of the mean of correlated values exceeds that of independent ones, (1 + r)/(1 − r) >= 1.
double spread_by_neighbours(const std::vector<double>& values) {
  const double centre = mean_of(values);
  double squares = 0.0;
  double products = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += std::pow(values[i] - centre, 2);
    if (i > 0) products += (values[i] - centre) * (values[i - 1] - centre);
  }
  if (squares == 0.0) return 1.0;
  const double r = std::clamp(products / squares + 1.0 / static_cast<double>(values.size()), 0.0, most_correlation);
  return (1.0 + r) / (1.0 - r);
}

}  // namespace

double stopped_confidence(double confidence) {
  return 1.0 - spent_when_stopped * (1.0 - confidence);
}

Estimate student_interval(std::span<const double> values, double confidence) {
  if (values.empty()) throw std::invalid_argument("student_interval: no values");
  if (!(confidence > 0.0 && confidence < 1.0)) {
    throw std::invalid_argument("student_interval: the confidence lies between 0 and 1");
  }
  const auto n = static_cast<double>(values.size());
  const double centre = mean_of(values);
  double half = unknown_width;
  if (values.size() > 1) {
    double squares = 0.0;
    for (const double value : values) squares += (value - centre) * (value - centre);
    half = student_factor(n - 1.0, confidence) * std::sqrt(squares / (n - 1.0) / n);
  }
  return {.mean = centre,
          .low = centre - half,
          .high = centre + half,
          .confidence = confidence,
          .replications = static_cast<std::uint32_t>(values.size())};
}

Estimate ratio_interval(std::span<const double> above, std::span<const double> below, double confidence) {
  if (above.empty() || above.size() != below.size()) {
    throw std::invalid_argument("ratio_interval: as many numerators as denominators are needed, and at least one");
  }
  if (mean_of(below) == 0.0) throw std::invalid_argument("ratio_interval: the denominators have the mean 0");
  return student_interval(linearised(above, below), confidence);
}

Estimate slope_interval(std::span<const double> values, double step, double confidence) {
  if (values.size() < 3 || !(step > 0.0)) throw std::invalid_argument("slope_interval: at least 3 values apart");
  if (!(confidence > 0.0 && confidence < 1.0)) {
    throw std::invalid_argument("slope_interval: the confidence lies between 0 and 1");
  }
  const auto n = static_cast<double>(values.size());
  const double centre = mean_of(values);
  double mixed = 0.0;
  double spread = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = (static_cast<double>(i) - (n - 1.0) / 2) * step;
    mixed += x * (values[i] - centre);
    spread += x * x;
  }
  const double slope = mixed / spread;
  double residuals = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = (static_cast<double>(i) - (n - 1.0) / 2) * step;
    residuals += std::pow(values[i] - centre - slope * x, 2);
  }
  const double half = student_factor(n - 2.0, confidence) * std::sqrt(residuals / (n - 2.0) / spread);
  return {.mean = slope, .low = slope - half, .high = slope + half, .confidence = confidence, .replications = 1};
}

BatchMeans in_batches(std::span<const double> series, std::span<const double> weights) {
  if (!weights.empty() && weights.size() != series.size())
    throw std::invalid_argument("in_batches: as many weights as values are needed, or none");
  const std::size_t batches = std::min(most_batches, series.size());
  BatchMeans result{.sums = std::vector<double>(batches), .events = std::vector<double>(batches)};
  for (std::size_t b = 0; b < batches; ++b) {
    for (std::size_t i = b * series.size() / batches; i < (b + 1) * series.size() / batches; ++i) {
      const double weight = weights.empty() ? 1.0 : weights[i];
      result.sums[b] += weight * series[i];
      result.events[b] += weight;
    }
  }
  return result;
}

double batch_means_relative_width(const BatchMeans& batches, double confidence) {
  if (batches.sums.size() < 2 || mean_of(batches.events) == 0.0) return unknown_width;
  return relative_half_width(ratio_interval(batches.sums, batches.events, confidence)) *
         std::sqrt(spread_by_neighbours(linearised(batches.sums, batches.events)));
}

bool may_all_be_equal(std::span<const Estimate> values) {
  constexpr double chance_of_equal_ones = 0.01;
  double weights = 0.0;
  double weighted = 0.0;
  std::vector<double> of_each;
  for (const Estimate& value : values) {
    const double deviation = (value.high - value.low) / 2 / normal_quantile_above((1.0 - value.confidence) / 2);
    if (!(deviation > 0.0)) return false;
    of_each.push_back(1.0 / (deviation * deviation));
    weights += of_each.back();
    weighted += of_each.back() * value.mean;
  }
  if (values.size() < 2 || !(weights > 0.0) || !std::isfinite(weights)) return false;
  double squares = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = values[i].mean - weighted / weights;
    squares += of_each[i] * off * off;
  }
  return chi_squared_above(static_cast<double>(values.size() - 1), squares) > chance_of_equal_ones;
}

double relative_half_width(const Estimate& estimate) {
  return estimate.mean == 0.0 ? unknown_width : estimate.half_width() / std::abs(estimate.mean);
}

namespace {

constexpr std::size_t most_counted_values = 9;

std::vector<double> centred_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  const double middle = static_cast<double>(values.size() - 1) / 2;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
    for (std::size_t i = first; i <= last; ++i) ranks[order[i]] = static_cast<double>(first + last) / 2 - middle;
    first = last + 1;
  }
  return ranks;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double counted_p_value(const std::vector<double>& x, std::vector<double> y) {
  // Products of ranks are multiples of 1/4, so half of that tells equal from smaller.
  const double seen = std::abs(product(x, y)) - 0.125;
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> shuffled(y.size());
  std::uint64_t extreme = 0;
  std::uint64_t all = 0;
  do {
    std::transform(order.begin(), order.end(), shuffled.begin(), [&](std::size_t i) { return y[i]; });
    if (std::abs(product(x, shuffled)) > seen) ++extreme;
    ++all;
  } while (std::next_permutation(order.begin(), order.end()));
  return static_cast<double>(extreme) / static_cast<double>(all);
}

double student_p_value(double rho, std::size_t n) {
  const double freedom = static_cast<double>(n) - 2;
  if (std::abs(rho) >= 1.0) return 0.0;
  const double t = std::abs(rho) * std::sqrt(freedom / (1.0 - rho * rho));
  return 2.0 * student_above(freedom, t);
}

}  // namespace

std::optional<RankCorrelation> spearman(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) throw std::invalid_argument("a rank correlation needs two series of the same length");
  if (x.size() < 3) return std::nullopt;
  const std::vector<double> ranks_x = centred_ranks(x);
  const std::vector<double> ranks_y = centred_ranks(y);
  const double scale = std::sqrt(product(ranks_x, ranks_x) * product(ranks_y, ranks_y));
  if (!(scale > 0.0)) return std::nullopt;
  const double rho = std::clamp(product(ranks_x, ranks_y) / scale, -1.0, 1.0);
  return RankCorrelation{
      .rho = rho,
      .p_value = x.size() <= most_counted_values ? counted_p_value(ranks_x, ranks_y) : student_p_value(rho, x.size())};
}

}  // namespace saturn
