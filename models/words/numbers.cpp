#include "models/words/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/core.h>

namespace saturn {

namespace {

/// Commas between the thousands of a decimal number that has so many digits before its point, or more.
std::string separated(std::string digits, std::size_t fewest) {
  const std::size_t start = digits.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(digits.find('.'), digits.size());
  if (end - start < fewest) return digits;
  for (std::size_t at = end; at > start + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string without_trailing_zeros(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
  return digits;
}

// Not strtod, which reads the decimal point of the user's language.
template <class Number>
std::optional<Number> read_all(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<double> read_number(std::string_view text) {
  const std::optional<double> value = read_all<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::uint64_t> read_count(std::string_view text) {
  return read_all<std::uint64_t>(text);
}

std::optional<std::uint64_t> read_whole(std::string_view text) {
  constexpr double most_exact = 9007199254740992.0;  // 2^53
  if (const std::optional<std::uint64_t> count = read_count(text)) return count;
  if (text.find_first_of("eE") == std::string_view::npos) return std::nullopt;
  const std::optional<double> value = read_number(text);
  const bool is_whole = value && *value >= 0.0 && *value <= most_exact && std::floor(*value) == *value;
  return is_whole ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

int decade_of(double value) {
  return static_cast<int>(std::floor(std::log10(std::abs(value))));
}

double rounded_to(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  double result = 0.0;
  // Not strtod, which reads the decimal point of the user's language.
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

std::string exact_text(double value) {
  std::array<char, 40> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

std::string shortest(double value) {
  std::array<char, 40> buffer{};
  const double size = std::abs(value);
  // Physicists read 0.0001 more easily than 1e-04.
  const bool plain = size == 0.0 || (size >= 1e-5 && size < 1e16);
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                    plain ? std::chars_format::fixed : std::chars_format::scientific);
  return {buffer.data(), result.ptr};
}

std::string significant(double value, int digits) {
  return fmt::format("{:.{}g}", value, digits);
}

std::string in_words(double number, int digits) {
  const bool is_count = number == std::floor(number) && std::abs(number) < 1e15;
  // "268,312 jobs", not "2.683e+05".
  if (is_count || std::abs(number) >= std::pow(10.0, digits)) return separated(fmt::format("{:.0f}", number), 5);
  return significant(number, digits);
}

std::string fixed_text(double value, int decimals) {
  if (!std::isfinite(value)) return "none";
  const double scale = decimals < 0 ? std::pow(10.0, -decimals) : 1.0;
  const double rounded = decimals < 0 ? std::round(value / scale) * scale : value;
  std::string text = fmt::format("{:.{}f}", rounded, std::max(decimals, 0));
  // A value that rounds to zero from below would otherwise read "-0.0".
  if (text.find_first_not_of("-0.") == std::string::npos && text.starts_with('-')) text.erase(0, 1);
  // "1700" reads well without a comma; from five digits on the eye needs it.
  return separated(std::move(text), 5);
}

std::string decimal_text(double value, int most_decimals) {
  return without_trailing_zeros(fmt::format("{:.{}f}", value, most_decimals));
}

std::string whole_text(double value) {
  return fixed_text(value, 0);
}

std::string with_commas(std::uint64_t count) {
  return separated(std::to_string(count), 4);
}

std::string number_text(double value, int significant_digits) {
  if (!std::isfinite(value)) return "none";
  if (value == 0.0) return "0";
  int decade = decade_of(value);
  // 9.9996 with four digits is 10.00, a decade further up.
  const double steps_in_decade = std::pow(10.0, significant_digits);
  if (std::round(std::abs(value) * std::pow(10.0, significant_digits - 1 - decade)) >= steps_in_decade) ++decade;
  if (decade < -5 || decade > 14) return fmt::format("{:.{}e}", value, significant_digits - 1);
  return fixed_text(value, significant_digits - 1 - decade);
}

std::string optional_text(const std::optional<double>& value, int significant_digits) {
  return value ? number_text(*value, significant_digits) : no_value;
}

std::string compact_number(double value, int significant_digits) {
  std::string text = number_text(value, significant_digits);
  std::erase(text, ',');
  const std::size_t exponent = text.find('e');
  // "none" has an e as well.
  if (exponent == std::string::npos || !std::isfinite(value)) return without_trailing_zeros(std::move(text));
  // "e-07" as "e-7", "e+12" as "e12"
  return fmt::format("{}e{}", without_trailing_zeros(text.substr(0, exponent)), std::stoi(text.substr(exponent + 1)));
}

std::string label_number(double value, int significant_digits) {
  constexpr double longest_with_commas = 1e9;
  const bool is_long_count =
      value == std::round(value) && std::abs(value) >= 1000.0 && std::abs(value) < longest_with_commas;
  return is_long_count ? whole_text(value) : compact_number(value, significant_digits);
}

std::string percent_text(double fraction, int significant_digits) {
  std::string text = number_text(fraction * 100.0, significant_digits);
  if (text.find('e') == std::string::npos) text = without_trailing_zeros(std::move(text));
  return text + " %";
}

std::string percent(double fraction) {
  return in_words(100 * fraction, 3) + " %";
}

std::string signed_percent_text(double fraction) {
  std::string size = fixed_text(std::abs(fraction) * 100.0, 1) + " %";
  if (size == "0.0 %") return size;
  return (fraction < 0.0 ? "-" : "+") + size;
}

}  // namespace saturn
