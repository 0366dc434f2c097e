#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace saturn {

/// One cell of comma-separated values (RFC 4180), quoted when it holds a comma, a quote or a line break. A text that a
/// spreadsheet would take for a formula, since it begins with = + - @ or a tab and is no number, gets an apostrophe
/// before it; numbers stay numbers.
std::string csv_cell(const std::string& text);

/// The shortest decimal number that reads back as the same double; empty when it is not finite.
std::string csv_number(double value);

// What may be echoed. Names in files, of files and on the command line are somebody else's text: on a terminal they
// must not move the cursor, change what is already there, or turn the direction of writing.

enum class CharacterKind { shown, control, invalid };

/// A character of a text.
struct EchoedCharacter {
  std::size_t length = 1;  ///< [byte], >= 1
  CharacterKind kind = CharacterKind::shown;
};

/// The character that begins there. Controls are C0 (newline and tab among them), DEL, C1, separators of lines and
/// paragraphs (U+2028, U+2029), and marks that turn the direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E,
/// U+2066 to U+2069). A byte that is no part of UTF-8 (table 3-7 of the Unicode standard) is invalid, by itself.
/// @param at  < text.size()
EchoedCharacter character_at(std::string_view text, std::size_t at);

/// The text in one line: what is not shown becomes "?".
std::string printable_line(std::string_view text);

/// The text with its newlines and tabs; what else is not shown becomes "?".
/// @param colours  lets sequences that choose colours and brightness as this program's own do (ESC [ 1 m) through
std::string printable_lines(std::string_view text, bool colours = false);

}  // namespace saturn
