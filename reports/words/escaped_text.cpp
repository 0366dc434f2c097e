#include "reports/words/escaped_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <fmt/core.h>
#include <optional>
#include <sstream>
#include <string_view>

#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "reports/tables/json_parts.hpp"
#include "reports/tables/text_table.hpp"

namespace saturn {

std::string fenced_text(const std::string& text) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

namespace {

/// The first so many characters of a text in UTF-8.
std::string beginning_of(const std::string& text, std::size_t characters) {
  std::size_t at = 0;
  for (std::size_t n = 0; n < characters && at < text.size(); ++n) at += character_at(text, at).length;
  return text.substr(0, at);
}

}  // namespace

std::string terminal_text(const std::string& text, std::size_t most) {
  std::string clean;
  for (std::size_t at = 0; at < text.size();) {
    const EchoedCharacter character = character_at(text, at);
    if (character.kind == CharacterKind::shown)
      clean += text.substr(at, character.length);
    else
      clean += character.kind == CharacterKind::control ? ' ' : '?';
    at += character.length;
  }
  return shortened(clean, most);
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

namespace {

/// Not isalnum: what it says of bytes beyond ASCII depends on the locale.
bool is_plain_in_shell(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./=:,+@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain_in_shell)) return word;
  return "'" + replaced_all(word, "'", "'\\''") + "'";
}

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

namespace {

using Json = nlohmann::ordered_json;

// The writer of JSON knows how to replace what is no UTF-8; reading it back undoes all else that it did.
std::string valid_utf8(std::string_view text) {
  return Json::parse(json_line(Json(text))).get<std::string>();
}

bool is_control(char c) {
  const unsigned char code = static_cast<unsigned char>(c);
  return (code < 0x20 && c != '\t' && c != '\n' && c != '\r') || code == 0x7f;
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string html;
  for (const char c : valid_utf8(text)) {
    if (c == '&') {
      html += "&amp;";
    } else if (c == '<') {
      html += "&lt;";
    } else if (c == '>') {
      html += "&gt;";
    } else if (c == '"') {
      html += "&quot;";
    } else if (c == '\'') {
      html += "&#39;";
    } else if (is_control(c)) {
      html += "\uFFFD";
    } else {
      html += c;
    }
  }
  return html;
}

std::string script_json(std::string_view json) {
  std::string text(json);
  for (const auto& [from, to] :
       {std::pair{"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}, {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"}})
    text = replaced_all(std::move(text), from, to);
  return text;
}

std::string script_code(std::string_view code) {
  std::string text;
  text.reserve(code.size());
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::string_view rest = code.substr(i);
    const bool ends = rest.size() > 7 && rest.starts_with("</") && (rest[2] | 0x20) == 's' && (rest[3] | 0x20) == 'c';
    if (ends || rest.starts_with("<!--")) {
      text += "\\x3c";
    } else {
      text += code[i];
    }
  }
  return text;
}

std::string html_id(std::string_view name) {
  std::string id(name);
  std::replace_if(
      id.begin(), id.end(),
      [](unsigned char c) { return !(c < 0x80 && (std::isalnum(c) != 0 || c == '-' || c == '_')); }, '-');
  return id.empty() ? "part" : id;
}

}  // namespace saturn
