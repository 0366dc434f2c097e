#pragma once

#include <string>
#include <vector>

/// Words in figures.
namespace saturn {

/// A text in lines of at most so many letters, broken at spaces; longer words stay whole.
std::vector<std::string> wrapped_words(const std::string& text, std::size_t letters);

/// The first letters of a text, "…" in place of the rest.
std::string shortened_words(const std::string& text, std::size_t letters);

/// Letters of a text in UTF-8.
std::size_t letters_of(const std::string& text);

/// A number beside others in a figure: at most so many digits that matter, thousands apart by commas, no trailing
/// zeros.
std::string label_number(double value, int significant_digits);

/// A line of a title that is no wider than the figure.
inline constexpr std::size_t title_letters = 76;

}  // namespace saturn
