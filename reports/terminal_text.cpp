#include "reports/terminal_text.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>

#include "reports/text_table.hpp"

namespace saturn {

namespace {

unsigned byte_at(const std::string& text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
}

bool continues(const std::string& text, std::size_t at) {
  return (byte_at(text, at) & 0xC0U) == 0x80U;
}

/// Bytes of the character that begins there; 0 where none does.
std::size_t length_of_character(const std::string& text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80U) return 1;
  if (lead >= 0xC2U && lead < 0xE0U && continues(text, at + 1)) return 2;
  if (lead >= 0xE0U && lead < 0xF0U && continues(text, at + 1) && continues(text, at + 2)) return 3;
  if (lead >= 0xF0U && lead < 0xF5U && continues(text, at + 1) && continues(text, at + 2) && continues(text, at + 3))
    return 4;
  return 0;
}

bool moves_the_cursor(const std::string& text, std::size_t at, std::size_t length) {
  const unsigned lead = byte_at(text, at);
  if (length == 1) return lead < 0x20U || lead == 0x7FU;
  if (length == 2) return lead == 0xC2U && byte_at(text, at + 1) < 0xA0U;
  // U+2028 to U+202E: separators of lines, and marks that turn the direction of writing.
  return length == 3 && lead == 0xE2U && byte_at(text, at + 1) == 0x80U && byte_at(text, at + 2) >= 0xA8U &&
         byte_at(text, at + 2) <= 0xAEU;
}

/// The first so many characters of a text in UTF-8.
std::string beginning_of(const std::string& text, std::size_t characters) {
  std::size_t at = 0;
  for (std::size_t n = 0; n < characters && at < text.size(); ++n)
    at += std::max<std::size_t>(1, length_of_character(text, at));
  return text.substr(0, at);
}

}  // namespace

std::string terminal_text(const std::string& text, std::size_t most) {
  std::string clean;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_of_character(text, at);
    if (length == 0) {
      clean += '?';
    } else if (moves_the_cursor(text, at, length)) {
      clean += ' ';
    } else {
      clean += text.substr(at, length);
    }
    at += std::max<std::size_t>(1, length);
  }
  return width_of(clean) <= most ? clean : beginning_of(clean, most - 1) + "…";
}

std::string wrapped_text(const std::string& text, std::size_t width, const std::string& first,
                         const std::string& rest) {
  std::string result;
  std::string line = first;
  bool empty = true;
  std::istringstream words(text);
  const auto end_line = [&] {
    result += line + "\n";
    line = rest;
    empty = true;
  };
  for (std::string word; words >> word;) {
    if (!empty && width_of(line) + 1 + width_of(word) > width) end_line();
    while (width_of(line) + width_of(word) > width) {
      const std::string piece = beginning_of(word, width - std::min(width - 1, width_of(line)));
      line += piece;
      word.erase(0, piece.size());
      end_line();
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  if (!empty) result += line + "\n";
  return result;
}

}  // namespace saturn
