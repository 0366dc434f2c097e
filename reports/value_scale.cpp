#include "reports/value_scale.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace saturn {

namespace {

constexpr double rounding_errors = 1e-9;
constexpr double always_logarithmic = 1000.0;
constexpr double perhaps_logarithmic = 10.0;

}  // namespace

ValueScale::ValueScale(std::span<const double> values, Use use) {
  if (values.empty()) return;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  low_ = *low;
  high_ = *high;
  // Halves, since the difference of two doubles may be none.
  constant_ = high_ / 2 - low_ / 2 <= rounding_errors * std::max(std::abs(low_), std::abs(high_));
  logarithmic_ = low_ > 0.0 && high_ / always_logarithmic > low_;
  if (use == Use::bars || logarithmic_ || low_ <= 0.0 || high_ / perhaps_logarithmic <= low_) return;
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  logarithmic_ = std::abs(logarithmic_share(*middle) - 0.5) < std::abs(linear_share(*middle) - 0.5);
}

double ValueScale::linear_share(double value) const {
  return (value / 2 - low_ / 2) / (high_ / 2 - low_ / 2);
}

double ValueScale::logarithmic_share(double value) const {
  return (std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_));
}

double ValueScale::share(double value) const {
  if (constant_) return 0.5;
  return std::clamp(logarithmic_ ? logarithmic_share(value) : linear_share(value), 0.0, 1.0);
}

std::size_t ValueScale::level(double value, std::size_t levels) const {
  return std::min(levels - 1, static_cast<std::size_t>(share(value) * static_cast<double>(levels)));
}

double ValueScale::begin_of(std::size_t level, std::size_t levels) const {
  const double share = static_cast<double>(level) / static_cast<double>(levels);
  if (logarithmic_) return std::exp(std::log(low_) + share * (std::log(high_) - std::log(low_)));
  return low_ * (1.0 - share) + high_ * share;
}

}  // namespace saturn
