#include "models/scaling/prometheus_rate.hpp"

#include <algorithm>
#include <cstddef>

namespace saturn {

std::optional<double> prometheus_rate(std::span<const CounterSample> samples, double window_s, double now_s) {
  const double begin_s = now_s - window_s;
  const auto is_before = [](const CounterSample& sample, double date_s) { return sample.at_s <= date_s; };
  const auto first = std::lower_bound(samples.begin(), samples.end(), begin_s, is_before);
  const auto end = std::lower_bound(first, samples.end(), now_s, is_before);
  if (end - first < 2) return std::nullopt;
  const auto last = end - 1;

  double increase = last->count - first->count;
  for (auto sample = first; sample != last; ++sample)
    if ((sample + 1)->count < sample->count) increase += sample->count;
  const double sampled_s = last->at_s - first->at_s;
  const double between_s = sampled_s / static_cast<double>(last - first);
  const auto extended_s = [&](double distance_s) {
    constexpr double far = 1.1;
    return distance_s >= far * between_s ? between_s / 2.0 : distance_s;
  };
  double before_s = extended_s(first->at_s - begin_s);
  if (increase > 0.0) before_s = std::min(before_s, sampled_s * first->count / increase);
  const double after_s = extended_s(now_s - last->at_s);
  return increase * (sampled_s + before_s + after_s) / sampled_s / window_s;
}

void ScrapedCounter::scrape(double now_s, double count) {
  std::erase_if(samples_, [&](const CounterSample& sample) { return sample.at_s <= now_s - window_s_; });
  samples_.push_back({.at_s = now_s, .count = count});
}

std::optional<double> summed_rate(std::span<const ScrapedCounter> replicas, double now_s) {
  std::optional<double> sum;
  for (const ScrapedCounter& replica : replicas)
    if (const std::optional<double> rate = replica.rate(now_s)) sum = sum.value_or(0.0) + *rate;
  return sum;
}

std::optional<double> queue_ms_per_execution(const std::optional<double>& queue_us_per_s,
                                             const std::optional<double>& executions_per_s) {
  if (!queue_us_per_s || !executions_per_s) return std::nullopt;
  constexpr double never_zero = 0.001;
  return *queue_us_per_s / (1000.0 * *executions_per_s + never_zero);
}

double replicas_in_use(double in_flight, double in_service, int healthy) {
  return in_flight * std::max(healthy, 1) / std::max({in_service, static_cast<double>(healthy), 1.0});
}

}  // namespace saturn
