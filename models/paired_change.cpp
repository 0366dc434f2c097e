#include "models/paired_change.hpp"

#include <algorithm>
#include <cmath>

#include "models/intervals.hpp"
#include "models/results.hpp"

namespace saturn {

namespace {

/// The numbers of each replication that are compared.
struct Compared {
  std::vector<double> events_per_s;
  std::vector<double> event_time_s;
  std::vector<double> latency_s;
  std::vector<double> latency_p99_s;
};

TimeStatistics latency_of(const RunOutcome& run, const std::vector<std::string>& names) {
  TimeStatistics all;
  for (const ModelOutcome& model : run.models) {
    if (std::find(names.begin(), names.end(), model.name) == names.end()) continue;
    const auto requests = static_cast<double>(model.latency.count);
    all.count += model.latency.count;
    all.mean_s += requests * model.latency.mean_s;
    all.p99_s += requests * model.latency.p99_s;
  }
  if (all.count > 0) {
    all.mean_s /= static_cast<double>(all.count);
    all.p99_s /= static_cast<double>(all.count);
  }
  return all;
}

/// Share of the requests that the strictest queue serves; never 0, so that ratios exist.
double served_share(const RunOutcome& run) {
  double share = 1.0;
  for (const ModelOutcome& model : run.models) {
    if (model.rejected_per_s > 0.0)
      share = std::min(share, model.requests_per_s / (model.requests_per_s + model.rejected_per_s));
  }
  return std::max(share, 1e-9);
}

Compared compared(std::span<const RunOutcome> runs, const std::vector<std::string>& models) {
  Compared numbers;
  for (const RunOutcome& run : runs) {
    const JobsOutcome all = together(run.jobs);
    numbers.events_per_s.push_back(all.events_per_s * served_share(run));
    numbers.event_time_s.push_back(all.event_time.mean_s);
    const TimeStatistics latency = latency_of(run, models);
    numbers.latency_s.push_back(latency.mean_s);
    numbers.latency_p99_s.push_back(latency.p99_s);
  }
  return numbers;
}

double lone_width(const RunOutcome& run, double confidence) {
  return batch_means_relative_width(run.event_time_series_s, run.events_series, confidence);
}

}  // namespace

PairedChange paired_change(std::span<const RunOutcome> original, std::span<const RunOutcome> variant,
                           const std::vector<std::string>& models, double confidence) {
  const std::size_t pairs = std::min(original.size(), variant.size());
  const Compared before = compared(original.first(pairs), models);
  const Compared after = compared(variant.first(pairs), models);
  const auto change = [&](const std::vector<double>& from, const std::vector<double>& to) {
    Estimate ratio = ratio_interval(to, from, confidence);
    if (pairs == 1) {
      const double half =
          std::abs(ratio.mean) * std::hypot(lone_width(original[0], confidence), lone_width(variant[0], confidence));
      ratio.low = ratio.mean - half;
      ratio.high = ratio.mean + half;
    }
    ratio.mean -= 1.0;
    ratio.low -= 1.0;
    ratio.high -= 1.0;
    return ratio;
  };
  PairedChange result{.events_per_s = change(before.events_per_s, after.events_per_s),
                      .event_time = change(before.event_time_s, after.event_time_s),
                      .latency = {},
                      .latency_p99 = {}};
  const auto positive = [](double seconds) { return seconds > 0.0; };
  if (std::any_of(before.latency_s.begin(), before.latency_s.end(), positive)) {
    result.latency = change(before.latency_s, after.latency_s);
    result.latency_p99 = change(before.latency_p99_s, after.latency_p99_s);
  }
  return result;
}

Verdict verdict_of(const Estimate& relative_change) {
  if (relative_change.low > 0.0 && relative_change.mean >= least_difference) return Verdict::gains;
  if (relative_change.high < 0.0 && relative_change.mean <= -least_difference) return Verdict::loses;
  return Verdict::no_difference;
}

}  // namespace saturn
