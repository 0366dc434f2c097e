#include "scenarios/fields/quantity_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr double bit = 0.125;
constexpr double kibi = 1024.0;
constexpr double month_h = 730.0;
constexpr double year_h = 8766.0;  // 365.25 days

constexpr std::array all_units{
    Unit{"s", Dimension::duration, 1, 0},
    Unit{"ms", Dimension::duration, 1, -3},
    Unit{"us", Dimension::duration, 1, -6},
    Unit{"\u00B5s", Dimension::duration, 1, -6},  // micro sign
    Unit{"\u03BCs", Dimension::duration, 1, -6},  // Greek mu, which looks the same
    Unit{"ns", Dimension::duration, 1, -9},
    Unit{"min", Dimension::duration, 60, 0},
    Unit{"h", Dimension::duration, 3600, 0},
    Unit{"d", Dimension::duration, 86400, 0},
    Unit{"B", Dimension::size, 1, 0},
    Unit{"kB", Dimension::size, 1, 3},
    Unit{"MB", Dimension::size, 1, 6},
    Unit{"GB", Dimension::size, 1, 9},
    Unit{"TB", Dimension::size, 1, 12},
    Unit{"KiB", Dimension::size, kibi, 0},
    Unit{"MiB", Dimension::size, kibi* kibi, 0},
    Unit{"GiB", Dimension::size, kibi* kibi* kibi, 0},
    Unit{"bps", Dimension::bandwidth, bit, 0},
    Unit{"kbps", Dimension::bandwidth, bit, 3},
    Unit{"Mbps", Dimension::bandwidth, bit, 6},
    Unit{"Gbps", Dimension::bandwidth, bit, 9},
    Unit{"Tbps", Dimension::bandwidth, bit, 12},
    Unit{"b/s", Dimension::bandwidth, bit, 0},
    Unit{"kb/s", Dimension::bandwidth, bit, 3},
    Unit{"Mb/s", Dimension::bandwidth, bit, 6},
    Unit{"Gb/s", Dimension::bandwidth, bit, 9},
    Unit{"Tb/s", Dimension::bandwidth, bit, 12},
    Unit{"bit/s", Dimension::bandwidth, bit, 0},
    Unit{"kbit/s", Dimension::bandwidth, bit, 3},
    Unit{"Mbit/s", Dimension::bandwidth, bit, 6},
    Unit{"Gbit/s", Dimension::bandwidth, bit, 9},
    Unit{"Tbit/s", Dimension::bandwidth, bit, 12},
    Unit{"B/s", Dimension::bandwidth, 1, 0},
    Unit{"kB/s", Dimension::bandwidth, 1, 3},
    Unit{"MB/s", Dimension::bandwidth, 1, 6},
    Unit{"GB/s", Dimension::bandwidth, 1, 9},
    Unit{"TB/s", Dimension::bandwidth, 1, 12},
    Unit{"Hz", Dimension::rate, 1, 0},
    Unit{"kHz", Dimension::rate, 1, 3},
    Unit{"MHz", Dimension::rate, 1, 6},
    Unit{"/s", Dimension::rate, 1, 0},
    Unit{"/min", Dimension::rate, 1.0 / 60.0, 0},
    Unit{"/h", Dimension::rate, 1.0 / 3600.0, 0},
    Unit{"USD/h", Dimension::price, 1, 0},
    Unit{"USD/d", Dimension::price, 1.0 / 24.0, 0},
    Unit{"USD/month", Dimension::price, 1.0 / month_h, 0},
    Unit{"USD/year", Dimension::price, 1.0 / year_h, 0},
    Unit{"USD/kWh", Dimension::energy_price, 1, 0},
    Unit{"USD/MWh", Dimension::energy_price, 1, -3},
    Unit{"USD/GB", Dimension::traffic_price, 1, 0},
    Unit{"USD/TB", Dimension::traffic_price, 1, -3},
    Unit{"USD/GiB", Dimension::traffic_price, 1.0 / (kibi * kibi * kibi), 9},
    Unit{"W", Dimension::power, 1, 0},
    Unit{"kW", Dimension::power, 1, 3},
    Unit{"MW", Dimension::power, 1, 6},
    Unit{"%", Dimension::ratio, 1, -2},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct DimensionWords {
  std::string_view name;
  std::string_view base_unit;
};

// In the order of Dimension.
constexpr std::array<DimensionWords, 9> dimension_words{{{"duration", "s"},
                                                         {"size", "B"},
                                                         {"bandwidth", "B/s"},
                                                         {"rate", "Hz"},
                                                         {"price", "USD/h"},
                                                         {"price of electricity", "USD/kWh"},
                                                         {"price of traffic", "USD/GB"},
                                                         {"power", "W"},
                                                         {"ratio", ""}}};

std::size_t skip_digits(std::string_view text, std::size_t i) {
  while (i < text.size() && is_digit(text[i])) ++i;
  return i;
}

// Splits -?digits[.digits] and [e[+-]digits] off the front; both empty when there is no number.
struct Decimal {
  std::string_view mantissa;
  std::string_view exponent;
  std::size_t end = 0;
};

Decimal split_decimal(std::string_view text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  std::size_t i = skip_digits(text, sign);
  if (i == sign) return {};
  if (i + 1 < text.size() && text[i] == '.' && is_digit(text[i + 1])) i = skip_digits(text, i + 1);
  Decimal decimal{.mantissa = text.substr(0, i), .exponent = {}, .end = i};
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    const std::size_t digits = i + 1 < text.size() && (text[i + 1] == '+' || text[i + 1] == '-') ? i + 2 : i + 1;
    const std::size_t end = skip_digits(text, digits);
    // from_chars takes no plus sign.
    const std::size_t begin = digits == i + 2 && text[i + 1] == '+' ? digits : i + 1;
    if (end > digits) {
      decimal.exponent = text.substr(begin, end - begin);
      decimal.end = end;
    }
  }
  return decimal;
}

// Decimal exponent of the first digit that is not zero, before the written exponent counts: 2 for 123, -3 for 0.001.
long leading_exponent(std::string_view mantissa) {
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  const auto difference = static_cast<long>(point) - static_cast<long>(first);
  return first < point ? difference - 1 : difference;
}

// False when the number is beyond what a double holds; numbers too small for one become zero.
bool evaluate(const Decimal& decimal, const Unit& unit, double& value) {
  long exponent = 0;
  const std::string_view written = decimal.exponent;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), exponent);
  constexpr long largest = 100'000;
  if (!written.empty() && (error != std::errc{} || std::abs(exponent) > largest))
    exponent = written.front() == '-' ? -largest : largest;
  const std::string text = std::string(decimal.mantissa) + "e" + std::to_string(exponent + unit.exponent);
  double scaled = 0.0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), scaled);
  if (result.ec == std::errc::result_out_of_range) {
    if (exponent + unit.exponent + leading_exponent(decimal.mantissa) > 0) return false;
    scaled = 0.0;
  }
  value = scaled * unit.multiplier;
  return std::isfinite(value);
}

}  // namespace

std::span<const Unit> units() {
  return all_units;
}

std::string_view name_of(Dimension dimension) {
  return dimension_words[static_cast<std::size_t>(dimension)].name;
}

std::string_view base_unit(Dimension dimension) {
  return dimension_words[static_cast<std::size_t>(dimension)].base_unit;
}

ReadQuantity read_quantity(std::string_view text, Dimension dimension) {
  ReadQuantity read;
  const Decimal decimal = split_decimal(text);
  if (decimal.end == 0) return read;
  read.number = std::string(text.substr(0, decimal.end));
  const std::size_t unit_begin = std::min(text.find_first_not_of(' ', decimal.end), text.size());
  read.unit = std::string(text.substr(unit_begin));
  if (read.unit.empty()) {
    read.reading = QuantityReading::no_unit;
    return read;
  }
  const auto unit =
      std::find_if(all_units.begin(), all_units.end(), [&](const Unit& known) { return known.name == read.unit; });
  if (unit == all_units.end()) {
    // "1.2.3 s" or "7 5 s" is a mistake in the number, not in the unit.
    read.reading = std::isdigit(static_cast<unsigned char>(read.unit.front())) != 0 || read.unit.front() == '.'
                       ? QuantityReading::no_number
                       : QuantityReading::unknown_unit;
  } else if (unit->dimension != dimension) {
    read.reading = QuantityReading::other_dimension;
    read.found = unit->dimension;
  } else {
    read.reading = evaluate(decimal, *unit, read.value) ? QuantityReading::good : QuantityReading::too_large;
  }
  return read;
}

std::string quantity_pattern(Dimension dimension) {
  std::string names;
  for (const Unit& unit : all_units)
    if (unit.dimension == dimension) append_part(names, unit.name, "|");
  return "^[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)? *(" + names + ")$";
}

std::string quantity_text(double value, Dimension dimension) {
  return shortest(value) + " " + std::string(base_unit(dimension));
}

}  // namespace saturn
