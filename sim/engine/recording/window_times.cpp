#include "sim/engine/recording/window_times.hpp"

#include <algorithm>

namespace saturn {

namespace {

constexpr double most_moved = 0.2;

/// The window and its two halves.
class Halves {
 public:
  Halves(const LogHistogram& from, const LogHistogram& middle, const LogHistogram& to)
      : whole_(to.since(from)), first_(middle.since(from)), second_(to.since(middle)) {}

  const LogHistogram& whole() const { return whole_; }

  double quantile_s(double q) const {
    if (first_.count() == 0 || second_.count() == 0) return whole_.quantile_s(q);
    const double plain = whole_.quantile_between_s(q);
    const auto a = static_cast<double>(first_.count());
    const auto b = static_cast<double>(second_.count());
    const double one = first_.quantile_between_s(q);
    const double other = second_.quantile_between_s(q);
    const double of_halves = (a * one + b * other) / (a + b);
    const double moved = plain + std::clamp(plain - of_halves, -most_moved * plain, most_moved * plain);
    return std::clamp(moved, std::min({one, other, plain}), std::max({one, other, plain}));
  }

 private:
  LogHistogram whole_;
  LogHistogram first_;
  LogHistogram second_;
};

}  // namespace

TimeStatistics window_times(std::span<const HistogramHistory> histories, const HistoryWindow& window) {
  const auto at = [&](std::size_t date) {
    LogHistogram all = histories.front().at(date);
    for (const HistogramHistory& other : histories.subspan(1)) all.add(other.at(date));
    return all;
  };
  const Halves halves(at(window.first), at(window.middle), at(window.last));
  const LogHistogram& whole = halves.whole();
  if (whole.count() == 0) return {};
  TimeStatistics times{.count = whole.count(),
                       .mean_s = whole.sum_s() / static_cast<double>(whole.count()),
                       .p50_s = halves.quantile_s(0.50),
                       .p95_s = halves.quantile_s(0.95),
                       .p99_s = halves.quantile_s(0.99),
                       .max_s = whole.max_s()};
  times.p50_s = std::min(times.p50_s, times.max_s);
  times.p95_s = std::clamp(times.p95_s, times.p50_s, times.max_s);
  times.p99_s = std::clamp(times.p99_s, times.p95_s, times.max_s);
  return times;
}

}  // namespace saturn
