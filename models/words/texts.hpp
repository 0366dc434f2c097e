#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "models/words/numbers.hpp"

/// Words, lists and lines: what sentences and tables are put together from.
namespace saturn {

/// "point" of one, "points" of any other number; "entry" and "entries" where both are given.
template <class Number>
std::string plural(Number count, std::string_view noun) {
  return std::string(noun) + (count == Number{1} ? "" : "s");
}

template <class Number>
std::string plural(Number count, std::string_view one, std::string_view many) {
  return std::string(count == Number{1} ? one : many);
}

/// "1 point", "2 points", "12,400 points", as people read them in tables and sentences.
template <class Number>
std::string counted(Number count, std::string_view noun) {
  return whole_text(count) + " " + plural(count, noun);
}

/// "1 point", "2 points", "1,700 points", as limits are given.
std::string counted_with_commas(std::uint64_t count, std::string_view noun);

/// "1 job", "0.5 jobs", "268,312 jobs", as sentences of a plan count.
std::string counted_in_words(double number, std::string_view noun);

/// "a job", "an event".
std::string with_article(std::string_view noun);

/// What a function makes of each element, ready to be joined.
template <class Range, class Function>
std::vector<std::string> texts_of(const Range& range, Function function) {
  std::vector<std::string> texts;
  for (const auto& element : range) texts.emplace_back(function(element));
  return texts;
}

inline constexpr std::size_t all_of_them = std::numeric_limits<std::size_t>::max();

/// "a, b, c"; of more than `most` parts "a, b and 7 more".
std::string joined(const std::vector<std::string>& parts, std::string_view separator = ", ",
                   std::size_t most = all_of_them);

/// Goes on with a list: the separator stands between what is there and the new part.
void append_part(std::string& list, std::string_view part, std::string_view separator = ", ");

/// "a, b and c"; of more than `most` parts "a, b and 7 more".
std::string joined_and(const std::vector<std::string>& parts, std::size_t most = all_of_them);

/// "a, b or c"; of more than `most` parts "a, b and 7 more".
std::string joined_or(const std::vector<std::string>& parts, std::size_t most = all_of_them);

/// A text between quotation marks, as it is.
std::string in_quotes(std::string_view text);

/// The same with a backslash before quotation marks and backslashes.
std::string escaped_in_quotes(std::string_view text);

/// Names in quotes, separated by commas, "or" before the last: `"a", "b" or "c"`; the tail is cut after 20 names.
std::string listed(const std::vector<std::string>& names);

inline constexpr std::string_view white_space{" \t\r\n\v\f"};

/// A text without such characters at its beginning and end.
std::string_view trimmed(std::string_view text, std::string_view characters = white_space);

/// A text without such characters at its end.
std::string_view trimmed_end(std::string_view text, std::string_view characters = " ");

/// The parts of a text between separators, at least one; they are views of it.
std::vector<std::string_view> split_at(std::string_view text, char separator);

/// A text with another in each place of a part. @param from  not empty
std::string replaced_all(std::string text, std::string_view from, std::string_view to);

/// Letters of ASCII made small.
std::string lower_case(std::string_view text);

/// A text that begins with a capital, where it begins with a letter of ASCII.
std::string capitalised(std::string text);

/// A text so many times.
std::string repeated(std::string_view text, std::size_t times);

/// Characters that a UTF-8 text takes on a terminal (no wide or combining characters).
std::size_t width_of(std::string_view text);

/// A text behind as many spaces as fill so many characters.
std::string right_aligned(std::string_view text, std::size_t width);

/// A text before as many spaces as fill so many characters.
std::string left_aligned(std::string_view text, std::size_t width);

/// A text in UTF-8 of at most so many characters: "…" stands for what does not fit.
/// @param most  characters, >= 1
std::string shortened(const std::string& text, std::size_t most);

/// Lines of at most so many characters, at least one, broken at white space; longer words stay whole.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

}  // namespace saturn
