#include "models/statistics/warm_up.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace saturn {

namespace {

constexpr std::size_t batch = 5;
constexpr std::size_t fewest_batches = 10;
constexpr double drift_ratio = 2.0 / 3.0;
constexpr double noise_of_sums = 1e-11;
constexpr double not_allowed = std::numeric_limits<double>::infinity();

std::vector<double> batch_means(std::span<const double> series) {
  std::vector<double> means(series.size() / batch);
  for (std::size_t b = 0; b < means.size(); ++b) {
    for (const double value : series.subspan(b * batch, batch)) means[b] += value / static_cast<double>(batch);
  }
  return means;
}

/// MSER's statistic for every number d of means removed: the squared deviations of the rest over the rest's size
/// squared; infinity where that beginning may not be removed.
std::vector<double> statistics(const std::vector<double>& means, Transient transient) {
  double scale = 0.0;
  for (const double value : means) scale = std::max(scale, std::abs(value));
  const double noise = noise_of_sums * scale;
  const double whole = std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(means.size());
  std::vector<double> result(means.size());
  double mean = 0.0;
  double squares = 0.0;
  for (std::size_t d = means.size(); d-- > 0;) {
    const auto rest = static_cast<double>(means.size() - d);
    const double step = means[d] - mean;
    mean += step / rest;
    squares += step * (means[d] - mean);
    // The rest lies above the whole when what is removed lies below the rest.
    const bool allowed = d == 0 || transient == Transient::either || mean > whole;
    result[d] = allowed ? std::max(squares, rest * noise * noise) / (rest * rest) : not_allowed;
  }
  return result;
}

}  // namespace

WarmUpCut mser5_cut(std::span<const double> series, Transient transient) {
  const std::vector<double> means = batch_means(series);
  if (means.size() < fewest_batches) return {};
  const std::vector<double> statistic = statistics(means, transient);
  const std::size_t kept = std::max<std::size_t>(5, (means.size() + 3) / 4);
  const auto begin = statistic.begin();
  const auto half = begin + static_cast<std::ptrdiff_t>(means.size() / 2 + 1);
  const auto end = statistic.end() - static_cast<std::ptrdiff_t>(kept) + 1;
  const auto best_of_half = std::min_element(begin, half);
  const auto best = std::min_element(begin, end);
  WarmUpCut found{.cut = batch * static_cast<std::size_t>(best_of_half - begin),
                  .steady = best < half || *best >= drift_ratio * *best_of_half};
  if (found.steady) return found;
  const auto mean_behind = [&](auto place) {
    const auto first = means.begin() + (place - begin);
    return std::accumulate(first, means.end(), 0.0) / static_cast<double>(means.end() - first);
  };
  found.drift = mean_behind(best) / mean_behind(best_of_half) - 1.0;
  return found;
}

double response_time_s(const ResponseTimeEstimates& estimates) {
  // β from the mean itself, in which what was drawn has dropped out: of either estimate it would lean with it.
  constexpr int rounds = 5;
  double mean_s = estimates.by_rest_s;
  for (int round = 0; round < rounds; ++round) {
    const double waiting = estimates.clients * std::max(0.0, 1.0 - estimates.ideal_s / mean_s);
    const double beta = 1.0 / (1.0 + waiting * (waiting + 1.0) / estimates.clients);
    mean_s = beta * estimates.by_rest_s + (1.0 - beta) * estimates.by_rate_s;
  }
  return mean_s;
}

}  // namespace saturn
