#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Numbers in words: one function for each form in which the program prints a number, and words read as numbers.
namespace saturn {

/// The finite number that a text is, from its first character to its last; absent for any other text.
std::optional<double> read_number(std::string_view text);

/// The whole number from 0 that a text of nothing but digits is; absent for any other text, and above 2^64 - 1.
std::optional<std::uint64_t> read_count(std::string_view text);

/// The whole number from 0 that a text is, in digits or as "1e6" and "2.5e6" up to 2^53; absent for any other text.
std::optional<std::uint64_t> read_whole(std::string_view text);

/// The power of ten of a number's first digit: 3 of 1700, -2 of 0.05. @param value  finite, not 0
int decade_of(double value);

/// The nearest number with so many significant digits. @param digits  >= 1
double rounded_to(double value, int digits);

/// The shortest text that reads back as the same double: "0.032", "1e+05"; "inf", "nan".
std::string exact_text(double value);

/// The fewest digits that give a double back, without an exponent from 1e-5 up to 1e16: "100000", "0.0001", "1e-06".
std::string shortest(double value);

/// At most so many significant digits, without trailing zeros: "0.0321", "1.23e+05"; "inf", "nan".
/// @param digits  >= 1
std::string significant(double value, int digits);

/// A number for a sentence: at most so many significant digits, and whole numbers, which are counts, to the last one,
/// with commas from five digits on: "269.7", "268,312".
std::string in_words(double number, int digits = 4);

/// A number for a table with so many significant digits, thousands apart by commas: "0.0321", "121.2", "12,400".
/// Trailing zeros after the point stay, since they are digits that were asked for.
/// @param value               any; "none" when it is not finite
/// @param significant_digits  >= 1
std::string number_text(double value, int significant_digits = 4);

/// What stands in a table for a number that there is none of.
inline const std::string no_value = "–";

/// A number, or `no_value`.
std::string optional_text(const std::optional<double>& value, int significant_digits);

/// A number where there is little room, with at most so many significant digits, no trailing zeros and no commas:
/// "0.5", "1719", "1e-7".
/// @param value  finite
std::string compact_number(double value, int significant_digits);

/// A number beside others in a figure: compact, but whole thousands apart by commas.
std::string label_number(double value, int significant_digits);

/// A number with exactly so many digits after the point, thousands apart by commas from five digits on: "0.50",
/// "1700", "12,400".
/// @param value  any; "none" when it is not finite
std::string fixed_text(double value, int decimals);

/// At most so many digits after the point, without trailing zeros and commas: "0.5", "1719".
std::string decimal_text(double value, int most_decimals);

/// A number without digits after the point, thousands apart by commas from five digits on; "none" when not finite.
std::string whole_text(double value);
template <std::integral Count>
std::string whole_text(Count count) {
  return whole_text(static_cast<double>(count));
}

/// A count whose thousands are apart by commas from four digits on: "1,700".
std::string with_commas(std::uint64_t count);

/// A fraction as a percentage with so many digits that matter: 0.01 gives "1 %", 0.0025 gives "0.25 %".
std::string percent_text(double fraction, int significant_digits = 2);

/// A fraction as a percentage for a sentence: at most three significant digits, 0.01 gives "1 %".
std::string percent(double fraction);

/// An error as a percentage with its sign and one digit after the point: "+3.1 %", "-12.0 %"; "0.0 %" has no sign,
/// since rounding errors would choose it.
std::string signed_percent_text(double fraction);

}  // namespace saturn
