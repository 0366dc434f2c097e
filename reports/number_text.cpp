#include "reports/number_text.hpp"

#include <algorithm>
#include <cmath>

namespace saturn {

namespace {

constexpr int largest_digits = 7;
constexpr double rounding_noise = 1e-7;
constexpr double rounding_noise_of_ratios = 1e-9;

}  // namespace

std::string mean_text(const Estimate& estimate, double factor, int significant_digits) {
  if (estimate.caveat == Caveat::too_few_events) return std::string(words_of(estimate.caveat));
  return number_text(estimate.mean * factor, significant_digits);
}

std::string estimate_text(const Estimate& estimate, double factor) {
  if (estimate.caveat == Caveat::too_few_events) return std::string(words_of(estimate.caveat));
  if (estimate.caveat == Caveat::not_stationary)
    return number_text(estimate.mean * factor) + ", " + std::string(words_of(estimate.caveat));
  const double mean = estimate.mean * factor;
  const double half_width = std::abs(estimate.half_width() * factor);
  if (!std::isfinite(mean)) return "none";
  // Equal values differ by the rounding errors of their sums; that is no uncertainty.
  if (half_width <= rounding_noise * std::abs(mean)) return number_text(mean);
  if (!std::isfinite(half_width)) return number_text(mean) + " ± unknown";
  // An interval that ends at 0 lies unevenly round its mean.
  if (estimate.low == 0.0 && estimate.mean > 0.0 && estimate.high > 2.0 * estimate.mean)
    return number_text(mean, 2) + " (0 to " + number_text(estimate.high * factor, 2) + ")";
  const int width_decade = decade_of(half_width);
  const bool leads_with_one = half_width < 2.0 * std::pow(10.0, width_decade);
  int decimals = -width_decade + (leads_with_one ? 1 : 0);
  // However wide the interval, one digit of the mean stays.
  if (mean != 0.0) decimals = std::max(decimals, -decade_of(mean));
  const int most = mean == 0.0 ? decimals : largest_digits - 1 - decade_of(mean);
  if (decimals <= most) return fixed_text(mean, decimals) + " ± " + fixed_text(half_width, decimals);
  decimals = most;
  const double unit = std::pow(10.0, -decimals);
  return fixed_text(mean, decimals) + " ± " + fixed_text(std::ceil(half_width / unit) * unit, decimals);
}

std::string slower_text(const Estimate& ratio) {
  if (!std::isfinite(ratio.mean)) return "none";
  const double share = ratio.mean - 1.0;
  // Equal times differ by the rounding errors of their sums, which are errors of the ratio, not of its excess.
  if (ratio.half_width() <= rounding_noise_of_ratios) return slower_text(ratio.mean);
  const double sign = share < 0.0 ? -1.0 : 1.0;
  const double half_width = ratio.half_width();
  const Estimate size{.mean = sign * share, .low = sign * share - half_width, .high = sign * share + half_width};
  return estimate_text(size, 100.0) + (share < 0.0 ? " % faster" : " % slower");
}

std::string slower_text(double ratio) {
  if (!std::isfinite(ratio)) return "none";
  const double share = ratio - 1.0;
  if (std::abs(share) <= rounding_noise_of_ratios) return "0 % slower";
  return percent_text(std::abs(share), 3) + (share < 0.0 ? " faster" : " slower");
}

}  // namespace saturn
