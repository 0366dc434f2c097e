#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "reports/text_table.hpp"
#include "reports/value_scale.hpp"

/// Shades of heat maps: block characters, or colours on a terminal that has them.
namespace saturn {

/// What stands for values, words and for points that have none.
inline const std::string failed_mark = "×";
inline const std::string missing_mark = "·";
inline const std::string no_value_mark = "–";
inline const std::string imprecise_mark = "~";

/// How many shades there are in a style.
std::size_t shades_of(TextStyle style);

/// A text on the colour of a shade, or, where there are no colours, the text alone.
std::string on_shade(const std::string& text, std::size_t shade, TextStyle style);

/// So many characters of a shade.
std::string shade_text(std::size_t shade, std::size_t characters, TextStyle style);

/// A letter for a word, by its place among them: "A", "B", ... "z", then "?" for all others.
std::string word_letter(std::size_t word);
inline constexpr std::size_t most_letters = 52;

/// The letter, on a colour of its own for the first eight.
std::string shown_letter(std::size_t word, TextStyle style);

/// What the shades mean, indented, at most 80 characters wide.
/// @param unit  of the numbers: "ms"; @param factor  to it
std::string shade_legend(const ValueScale& scale, const std::string& unit, double factor, TextStyle style);

}  // namespace saturn
