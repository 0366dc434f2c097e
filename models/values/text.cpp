#include "models/values/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <string_view>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

bool is_formula(const std::string& text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos && !is_number(text);
}

}  // namespace

std::string csv_cell(const std::string& text) {
  if (is_formula(text)) return csv_cell("'" + text);
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  return in_quotes(replaced_all(text, "\"", "\"\""));
}

std::string csv_number(double value) {
  if (!std::isfinite(value)) return "";
  // A count stays one for whoever reads it as a whole number: 100000, not 1e+05.
  const bool whole = std::abs(value) < 1e15 && value == std::trunc(value);
  return whole ? fmt::format("{:.0f}", value) : exact_text(value);
}

namespace {

struct Lead {
  unsigned char first;
  unsigned char last;
  std::size_t length;
  unsigned char least_second;
  unsigned char most_second;
};

constexpr std::array<Lead, 9> leads{{{0x00, 0x7F, 1, 0x00, 0xFF},
                                     {0xC2, 0xDF, 2, 0x80, 0xBF},
                                     {0xE0, 0xE0, 3, 0xA0, 0xBF},
                                     {0xE1, 0xEC, 3, 0x80, 0xBF},
                                     {0xED, 0xED, 3, 0x80, 0x9F},
                                     {0xEE, 0xEF, 3, 0x80, 0xBF},
                                     {0xF0, 0xF0, 4, 0x90, 0xBF},
                                     {0xF1, 0xF3, 4, 0x80, 0xBF},
                                     {0xF4, 0xF4, 4, 0x80, 0x8F}}};

unsigned char byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
}

/// Bytes of the character that begins there; 0 where none does.
std::size_t length_of_character(std::string_view text, std::size_t at) {
  const unsigned char first = byte_at(text, at);
  const auto lead = std::find_if(leads.begin(), leads.end(),
                                 [&](const Lead& one) { return first >= one.first && first <= one.last; });
  if (lead == leads.end() || at + lead->length > text.size()) return 0;
  if (lead->length == 1) return 1;
  const unsigned char second = byte_at(text, at + 1);
  if (second < lead->least_second || second > lead->most_second) return 0;
  for (std::size_t i = 2; i < lead->length; ++i)
    if ((byte_at(text, at + i) & 0xC0U) != 0x80U) return 0;
  return lead->length;
}

bool is_control(std::string_view character) {
  const unsigned first = byte_at(character, 0);
  const unsigned second = byte_at(character, 1);
  const unsigned third = byte_at(character, 2);
  if (character.size() == 1) return first < 0x20U || first == 0x7FU;
  if (character.size() == 2) return (first == 0xC2U && second < 0xA0U) || (first == 0xD8U && second == 0x9CU);
  if (character.size() != 3 || first != 0xE2U) return false;
  if (second == 0x80U) return third == 0x8EU || third == 0x8FU || (third >= 0xA8U && third <= 0xAEU);
  return second == 0x81U && third >= 0xA6U && third <= 0xA9U;
}

/// Bytes of a sequence "ESC [ digits and semicolons m" that begins there; 0 where there is none.
std::size_t length_of_colour(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "\033[") return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", at + 2);
  if (byte_at(text, end) != 'm') return 0;
  std::string_view codes = text.substr(at + 2, end - at - 2);
  const std::size_t length = end + 1 - at;
  // Concealed text (8), blinking (5, 6) and the like are none of ours.
  if (codes == "0" || codes == "1" || codes == "2") return length;
  for (const std::string_view ground : {"38;5;", ";48;5;"}) {
    if (!codes.starts_with(ground)) return 0;
    codes.remove_prefix(ground.size());
    codes.remove_prefix(std::min(codes.find(';'), codes.size()));
    if (codes.empty()) return length;
  }
  return 0;
}

}  // namespace

EchoedCharacter character_at(std::string_view text, std::size_t at) {
  const std::size_t length = length_of_character(text, at);
  if (length == 0) return {1, CharacterKind::invalid};
  return {length, is_control(text.substr(at, length)) ? CharacterKind::control : CharacterKind::shown};
}

std::string printable_line(std::string_view text) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const EchoedCharacter character = character_at(text, at);
    line += character.kind == CharacterKind::shown ? text.substr(at, character.length) : "?";
    at += character.length;
  }
  return line;
}

std::string printable_lines(std::string_view text, bool colours) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t colour = colours ? length_of_colour(text, at) : 0; colour > 0) {
      lines += text.substr(at, colour);
      at += colour;
      continue;
    }
    const EchoedCharacter character = character_at(text, at);
    const bool kept = character.kind == CharacterKind::shown || text[at] == '\n' || text[at] == '\t';
    lines += kept ? text.substr(at, character.length) : "?";
    at += character.length;
  }
  return lines;
}

}  // namespace saturn
