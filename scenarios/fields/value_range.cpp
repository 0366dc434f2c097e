#include "scenarios/fields/value_range.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/fields/value_rules.hpp"

namespace saturn {

namespace {

// Whole numbers beyond this are not all numbers of a double.
constexpr double largest_whole_value = 9007199254740992.0;
// Points that are looked at before rounding makes equal ones one.
constexpr double most_points_of_a_range = 1e6;
// How far a step may miss the last value and still mean it.
constexpr double hair = 1e-9;
constexpr int digits_of_sums = 12;
constexpr int digits_of_products = 6;
constexpr int digits_of_points = 4;

/// What is wrong, as an exception within this file.
struct Fault {
  std::string text;
  bool empty = false;
};

struct Expected {
  bool whole = false;
  std::optional<Dimension> dimension{};
};

/// A number with the unit that it was written with.
struct Amount {
  double number = 0.0;
  std::string unit{};
  double unit_size = 1.0;  ///< in base units

  double base() const { return number * unit_size; }
};

std::vector<std::string_view> trimmed_parts(std::string_view text, char separator) {
  std::vector<std::string_view> parts = split_at(text, separator);
  for (std::string_view& part : parts) part = trimmed(part, " \t\r\n");
  return parts;
}

[[noreturn]] void refuse_quantity(std::string_view text, const ReadQuantity& read, Dimension dimension) {
  const std::string noun = "a " + std::string(name_of(dimension));
  const std::string number = read.number.empty() ? "1" : read.number.substr(0, 20);
  const std::string example = ", for example \"" + number + " " + usual_unit(dimension) + "\".";
  switch (read.reading) {
    case QuantityReading::no_unit:
      throw Fault{shown(text) + " lacks its unit; " + noun + " needs one" + example};
    case QuantityReading::unknown_unit:
      throw Fault{shown(text) + " has the unit " + shown(read.unit) + ", which is none of " + noun + "; write one" +
                  example};
    case QuantityReading::other_dimension:
      throw Fault{shown(text) + " is a " + std::string(name_of(read.found)) + "; " + noun + " is needed" + example};
    case QuantityReading::too_large:
      throw Fault{shown(text) + " is too large for a number."};
    default:
      throw Fault{shown(text) + " is no number with a unit; " + noun + " is needed" + example};
  }
}

/// " or a range, "1:8",", where "1-8" was written; else empty.
std::string range_meant(std::string_view text) {
  const std::vector<std::string_view> ends = trimmed_parts(text, '-');
  const bool two = ends.size() == 2 && read_number(ends[0]) && read_number(ends[1]);
  return two ? " or a range, \"" + std::string(ends[0]) + ":" + std::string(ends[1]) + "\"," : "";
}

Amount read_bare(std::string_view text, const ReadQuantity& read, const Expected& expected) {
  const std::string noun = expected.whole ? "a whole number" : "a number";
  if (read.reading != QuantityReading::no_unit)
    throw Fault{shown(text) + " is no number; " + noun + range_meant(text) + " is needed."};
  const std::optional<double> number = read_number(read.number);
  if (!number) throw Fault{shown(text) + " is too large for a number."};
  if (expected.whole && *number != std::floor(*number))
    throw Fault{shown(text) + " is no whole number; a whole number is needed."};
  if (expected.whole && std::abs(*number) > largest_whole_value)
    throw Fault{shown(text) + " is too large; whole numbers go up to " +
                with_commas(static_cast<std::uint64_t>(largest_whole_value)) + "."};
  return {.number = *number};
}

Amount read_amount(std::string_view text, const Expected& expected) {
  if (!expected.dimension || expected.dimension == Dimension::ratio) {
    const ReadQuantity read = read_quantity(text, Dimension::ratio);
    if (expected.dimension && read.reading == QuantityReading::good)
      return {.number = read_number(read.number).value_or(0.0), .unit = read.unit, .unit_size = 0.01};
    return read_bare(text, read, expected);
  }
  const ReadQuantity read = read_quantity(text, *expected.dimension);
  if (read.reading != QuantityReading::good) refuse_quantity(text, read, *expected.dimension);
  const std::optional<double> number = read_number(read.number);
  if (!number) throw Fault{shown(text) + " is too large for a number."};
  return {
      .number = *number, .unit = read.unit, .unit_size = read_quantity("1 " + read.unit, *expected.dimension).value};
}

std::string written(double number, const std::string& unit) {
  const std::string text = number == 0.0 ? "0" : shortest(number);
  return unit.empty() ? text : text + " " + unit;
}

/// The number of a quantity in another one's unit.
double in_unit_of(const Amount& amount, const Amount& other) {
  if (amount.unit == other.unit) return amount.number;
  return rounded_to(amount.base() / other.unit_size, digits_of_sums);
}

[[noreturn]] void refuse_number(double number, std::size_t most) {
  const std::string count =
      number < largest_whole_value ? with_commas(static_cast<std::uint64_t>(number)) : shortest(rounded_to(number, 3));
  throw Fault{"It has " + count + " values; at most " + with_commas(most) +
              " are allowed. Take a larger step, or a factor such as \"x2\"."};
}

/// A range's ends, in the unit of the first.
struct Ends {
  double first = 0.0;
  double last = 0.0;
  std::string unit{};
};

/// How many steps of a size fit, the last one perhaps by a hair.
double points_within(double width, double step) {
  return std::floor(width / step * (1.0 + 1e-12) + hair) + 1.0;
}

std::vector<double> linear(const Ends& ends, double step, std::string_view step_text, std::size_t most) {
  if (!(step > 0.0))
    throw Fault{"Its step " + shown(step_text) + " is not above 0; ranges go up by a step such as \"1\"."};
  const double width = ends.last - ends.first;
  if (width > 0.0 && step > width * (1.0 + hair))
    throw Fault{"Its step " + shown(step_text) +
                " passes the last value at once; take a smaller one, or write a list, such as \"1,2,4\"."};
  const double points = points_within(width, step);
  if (!(points <= static_cast<double>(most))) refuse_number(points, most);
  const double largest = std::max(std::abs(ends.first), std::abs(ends.last));
  std::vector<double> values;
  for (std::size_t i = 0; i < static_cast<std::size_t>(points); ++i) {
    const double value = ends.first + static_cast<double>(i) * step;
    const bool is_zero = std::abs(value) < 1e-12 * largest;
    values.push_back(is_zero ? 0.0 : std::min(rounded_to(value, digits_of_sums), ends.last));
  }
  return values;
}

std::vector<double> by_factor(const Ends& ends, std::string_view text, bool whole) {
  const std::optional<double> factor = read_number(text.substr(1));
  if (!factor || !(*factor > 1.0))
    throw Fault{shown(text) + " is no factor above 1; write \"x2\" to double from value to value."};
  if (ends.last > ends.first && ends.first * *factor > ends.last * (1.0 + hair))
    throw Fault{"Its factor " + shown(text) + " passes the last value at once; take a smaller one, or write a list."};
  const double points = points_within(std::log(ends.last) - std::log(ends.first), std::log(*factor));
  if (!(points <= most_points_of_a_range)) refuse_number(points, static_cast<std::size_t>(most_points_of_a_range));
  std::vector<double> values;
  for (std::size_t i = 0; i < static_cast<std::size_t>(points); ++i) {
    const double value = ends.first * std::pow(*factor, static_cast<double>(i));
    values.push_back(std::min(whole ? std::round(value) : rounded_to(value, digits_of_products), ends.last));
  }
  return values;
}

std::vector<double> by_points(const Ends& ends, std::string_view text, bool whole, std::size_t most) {
  const std::optional<double> points = read_number(text.substr(3));
  if (!points || *points != std::floor(*points) || *points < 2.0)
    throw Fault{shown(text) + " is no number of points; write \"log13\" for 13 points, 2 or more."};
  if (*points > static_cast<double>(most)) refuse_number(*points, most);
  std::vector<double> values;
  const double width = std::log(ends.last) - std::log(ends.first);
  for (double i = 0.0; i < *points; ++i) {
    const double value = std::exp(std::log(ends.first) + width * i / (*points - 1.0));
    values.push_back(
        std::clamp(whole ? std::round(value) : rounded_to(value, digits_of_points), ends.first, ends.last));
  }
  values.front() = ends.first;
  values.back() = ends.last;
  return values;
}

std::vector<double> points_of(const Ends& ends, const Amount& first, const std::vector<std::string_view>& parts,
                              const Expected& expected, std::size_t most) {
  if (parts.size() == 2) {
    if (!expected.whole && ends.last > ends.first)
      throw Fault{"It lacks a step; write \"" + written(first.number, first.unit) + ":" +
                  written(ends.last, ends.unit) + ":log5\" for 5 points, or the step after a second colon."};
    return linear(ends, 1.0, "1", most);
  }
  const bool has_factor = parts[2].starts_with('x');
  const bool has_points = parts[2].starts_with("log");
  if (!has_factor && !has_points)
    return linear(ends, in_unit_of(read_amount(parts[2], expected), first), parts[2], most);
  if (!(ends.first > 0.0))
    throw Fault{"It begins at " + written(ends.first, ends.unit) +
                "; steps by a factor begin above 0. List that value beside others, such as \"0,1,2,4\"."};
  return has_factor ? by_factor(ends, parts[2], expected.whole) : by_points(ends, parts[2], expected.whole, most);
}

std::vector<std::string> read_range(std::string_view text, const Expected& expected, std::size_t most) {
  const std::vector<std::string_view> parts = trimmed_parts(text, ':');
  if (parts.size() > 3)
    throw Fault{shown(text) + " has " + std::to_string(parts.size()) +
                " parts; a range is first:last, or first:last:step."};
  for (const std::string_view part : parts)
    if (part.empty()) throw Fault{shown(text) + " lacks a number beside a colon; a range is first:last:step."};
  const Amount first = read_amount(parts[0], expected);
  const Ends ends{first.number, in_unit_of(read_amount(parts[1], expected), first), first.unit};
  if (ends.last < ends.first) throw Fault{shown(text) + " is empty: it begins above its end. Exchange the two.", true};
  std::vector<double> values = points_of(ends, first, parts, expected, most);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() > most) refuse_number(static_cast<double>(values.size()), most);
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(written(value, ends.unit));
  return texts;
}

std::string listed_value(std::string_view part, const Expected& expected) {
  const Amount amount = read_amount(part, expected);
  return written(amount.number, amount.unit);
}

bool is_bare_number(std::string_view part) {
  return read_quantity(part, Dimension::ratio).reading == QuantityReading::no_unit;
}

std::vector<std::string> read_list(std::string_view text, const Expected& expected, std::size_t most) {
  const std::vector<std::string_view> parts = trimmed_parts(text, ',');
  if (parts.size() > most) refuse_number(static_cast<double>(parts.size()), most);
  const bool words = !expected.whole && !expected.dimension && !std::all_of(parts.begin(), parts.end(), is_bare_number);
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const std::string_view part : parts) {
    if (part.empty()) throw Fault{shown(text) + " has an empty place; write values with single commas between them."};
    if (!words && part.find(':') != std::string_view::npos)
      throw Fault{shown(text) + " mixes a list and a range; write one of the two."};
    values.push_back(words ? std::string(part) : listed_value(part, expected));
    const std::string known =
        words ? values.back() : shortest(rounded_to(read_amount(part, expected).base(), digits_of_sums));
    if (!seen.insert(known).second)
      throw Fault{shown(text) + " names " + shown(part) + " twice; name each value once."};
  }
  return values;
}

}  // namespace

std::string usual_unit(Dimension dimension) {
  switch (dimension) {
    case Dimension::duration:
      return "ms";
    case Dimension::size:
      return "MB";
    case Dimension::bandwidth:
      return "Gbps";
    case Dimension::ratio:
      return "%";
    default:
      return std::string(base_unit(dimension));
  }
}

ValueRange read_value_range(std::string_view text, bool whole, std::optional<Dimension> dimension, std::size_t most) {
  const Expected expected{whole, dimension};
  try {
    const std::string_view all = trimmed(text, " \t\r\n");
    if (all.empty())
      throw Fault{"There are no values; write a list such as \"1,2,4\" or a range such as \"1:8\".", true};
    const bool is_range = all.find(':') != std::string_view::npos && all.find(',') == std::string_view::npos;
    return {.values = is_range ? read_range(all, expected, most) : read_list(all, expected, most)};
  } catch (const Fault& fault) {
    return {.values = {}, .fault = fault.text, .empty = fault.empty};
  }
}

}  // namespace saturn
