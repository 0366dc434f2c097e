#include "reports/yaml_text.hpp"

#include <fmt/core.h>
#include <optional>
#include <sstream>
#include <string_view>

#include "models/words/texts.hpp"
#include "reports/text_table.hpp"

namespace saturn {

namespace {

constexpr std::size_t comment_width = 110;

/// A character that YAML does not take as it is.
struct Special {
  unsigned code = 0;
  std::size_t bytes = 1;
};

unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

/// Controls, other line ends (next line, line and paragraph separator), the byte-order mark and noncharacters.
std::optional<Special> special_at(std::string_view text, std::size_t i) {
  const unsigned first = byte_at(text, i);
  const unsigned second = byte_at(text, i + 1);
  const unsigned third = byte_at(text, i + 2);
  if (first < 0x20 || first == 0x7F) return Special{.code = first};
  if (first == 0xC2 && second < 0xA0) return Special{.code = second, .bytes = 2};
  if (first == 0xE2 && second == 0x80 && (third == 0xA8 || third == 0xA9))
    return Special{.code = 0x2028U + (third - 0xA8U), .bytes = 3};
  if (first == 0xEF && second == 0xBB && third == 0xBF) return Special{.code = 0xFEFF, .bytes = 3};
  if (first == 0xEF && second == 0xBF && third >= 0xBE) return Special{.code = 0xFFFEU + (third - 0xBEU), .bytes = 3};
  return std::nullopt;
}

std::string escaped(unsigned code) {
  return fmt::format("\\u{:04X}", code);
}

std::string in_one_line(const std::string& text) {
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    const std::optional<Special> special = special_at(text, i);
    line += special ? ' ' : text[i];
    i += special ? special->bytes : 1;
  }
  return line;
}

}  // namespace

std::string yaml_text(const std::string& text) {
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size();) {
    if (const std::optional<Special> special = special_at(text, i)) {
      quoted += escaped(special->code);
      i += special->bytes;
      continue;
    }
    if (text[i] == '"' || text[i] == '\\') quoted += '\\';
    quoted += text[i++];
  }
  return quoted + "\"";
}

std::string yaml_comment(const std::string& text, std::size_t indent) {
  const std::string begin = std::string(indent, ' ') + "#";
  std::istringstream words(in_one_line(text));
  std::string lines;
  std::string line = begin;
  for (std::string word; words >> word;) {
    if (line != begin && width_of(line) + 1 + width_of(word) > comment_width) {
      lines += line + "\n";
      line = begin;
    }
    line += " " + word;
  }
  return lines + line + "\n";
}

}  // namespace saturn
