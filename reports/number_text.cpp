#include "reports/number_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace saturn {

namespace {

constexpr int largest_digits = 7;
constexpr double rounding_noise = 1e-7;
constexpr double rounding_noise_of_ratios = 1e-9;

int decade_of(double value) {
  return static_cast<int>(std::floor(std::log10(std::abs(value))));
}

std::string with_commas(std::string digits) {
  const std::size_t start = digits.starts_with('-') ? 1 : 0;
  std::size_t end = digits.find('.');
  if (end == std::string::npos) end = digits.size();
  // "1700" reads well without a comma; from five digits on the eye needs it.
  if (end - start < 5) return digits;
  for (std::size_t at = end; at > start + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string printed(double value, int decimals) {
  std::array<char, 400> buffer{};
  const double scale = decimals < 0 ? std::pow(10.0, -decimals) : 1.0;
  const double rounded = decimals < 0 ? std::round(value / scale) * scale : value;
  std::snprintf(buffer.data(), buffer.size(), "%.*f", std::max(decimals, 0), rounded);
  std::string text = buffer.data();
  // A value that rounds to zero from below would otherwise read "-0.0".
  if (text.find_first_not_of("-0.") == std::string::npos && text.starts_with('-')) text.erase(0, 1);
  return with_commas(text);
}

std::string percent_of(double fraction, int significant_digits) {
  std::string text = number_text(fraction * 100.0, significant_digits);
  if (text.find('.') != std::string::npos && text.find('e') == std::string::npos) {
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
  }
  return text + " %";
}

std::string scientific(double value, int significant_digits) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*e", significant_digits - 1, value);
  return buffer.data();
}

}  // namespace

std::string fixed_text(double value, int decimals) {
  return std::isfinite(value) ? printed(value, decimals) : "none";
}

std::string whole_text(double value) {
  return fixed_text(value, 0);
}

std::string number_text(double value, int significant_digits) {
  if (!std::isfinite(value)) return "none";
  if (value == 0.0) return "0";
  int decade = decade_of(value);
  // 9.9996 with four digits is 10.00, a decade further up.
  const double steps_in_decade = std::pow(10.0, significant_digits);
  if (std::round(std::abs(value) * std::pow(10.0, significant_digits - 1 - decade)) >= steps_in_decade) ++decade;
  if (decade < -5 || decade > 14) return scientific(value, significant_digits);
  return printed(value, significant_digits - 1 - decade);
}

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
  if (decimals <= most) return printed(mean, decimals) + " ± " + printed(half_width, decimals);
  decimals = most;
  const double unit = std::pow(10.0, -decimals);
  return printed(mean, decimals) + " ± " + printed(std::ceil(half_width / unit) * unit, decimals);
}

std::string percent_text(double fraction) {
  return percent_of(fraction, 2);
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
  return percent_of(std::abs(share), 3) + (share < 0.0 ? " faster" : " slower");
}

std::string signed_percent_text(double fraction) {
  std::string size = fixed_text(std::abs(fraction) * 100.0, 1) + " %";
  if (size == "0.0 %") return size;
  return (fraction < 0.0 ? "-" : "+") + size;
}

std::string optional_text(const std::optional<double>& value, int significant_digits) {
  return value ? number_text(*value, significant_digits) : no_value;
}

}  // namespace saturn
