#include "scenarios/syntax_fault.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr std::string_view structural = "{}[],:";

bool is_word_of_json(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '+' || c == '-' || c == '.';
}

std::string word_at(const std::string& text, std::size_t offset) {
  std::size_t end = offset;
  while (end < text.size() && is_word_of_json(text[end])) ++end;
  return text.substr(offset, end - offset);
}

std::string found_at(const std::string& text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the text";
  const std::string word = word_at(text, offset);
  if (!word.empty()) return shown(word);
  if (text[offset] == '"') return shown(text.substr(offset + 1, text.find('"', offset + 1) - offset - 1));
  std::size_t end = offset + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return text[offset] == '"' ? "'\"'" : shown(text.substr(offset, end - offset));
}

std::string expected_after(const std::string& reason) {
  struct Context {
    std::string_view words;
    const char* expected;
  };
  static constexpr std::array contexts{
      Context{"parsing object key", "a key in double quotes"},
      Context{"parsing object separator", "\":\" after the key"},
      Context{"parsing object ", "\",\" or \"}\""},
      Context{"parsing array ", "\",\" or \"]\""},
      Context{"expected end of input", "the end of the text"},
  };
  for (const Context& context : contexts)
    if (reason.find(context.words) != std::string::npos) return context.expected;
  return "a value";
}

bool follows_comma(const std::string& text, std::size_t after, std::size_t offset) {
  std::size_t i = skip_blank(text, after);
  bool comma = false;
  while (i < offset && (text[i] == ',' || text[i] == ':')) {
    comma = text[i] == ',';
    i = skip_blank(text, i + 1);
  }
  return comma;
}

std::string way_out(const std::string& text, std::size_t after, std::size_t offset, const std::string& expected) {
  if (offset >= text.size()) return "a bracket, a brace or a quote is not closed.";
  const char c = text[offset];
  if ((c == '}' || c == ']' || c == ',') && follows_comma(text, after, offset))
    return c == ',' ? "remove one of the two commas." : "remove the comma before it.";
  if (c == '\'') return "texts and keys stand in double quotes.";
  if (c == '#') return "comments begin with \"//\".";
  const std::string word = lower_case(word_at(text, offset));
  const std::string bare = word.substr(std::min(word.find_first_not_of("+-"), word.size()));
  if (bare == "nan" || bare.starts_with("inf")) return "a scenario holds finite numbers only.";
  if (word == "true" || word == "false" || word == "null" || word == "none") return "write true, false or null.";
  if (expected.starts_with("\",\"") && (c == '"' || c == '{' || c == '[' || !word.empty()))
    return "a comma is missing before it.";
  if (expected.starts_with("\":\"")) return "write \"key\": value.";
  if (!word.empty() && std::isalpha(static_cast<unsigned char>(c)) != 0)
    return "texts and keys stand in double quotes.";
  if (!word.empty()) return "numbers are written like 12, 0.5 or 1e3.";
  if (expected == "the end of the text") return "the document is one object, and ends with its closing brace.";
  return "see docs/scenario-reference.md for an example.";
}

// The parser's reason for refusing a text, a number or a comment, e.g. "missing closing quote".
std::string own_reason(const std::string& reason, std::string_view subject) {
  const std::size_t begin = reason.find(subject);
  if (begin == std::string::npos) return {};
  std::string rest = reason.substr(begin + subject.size());
  rest = rest.substr(0, rest.find("; last read"));
  return rest.substr(std::min(rest.find_first_not_of(":; "), rest.size()));
}

}  // namespace

std::size_t skip_blank(const std::string& text, std::size_t offset) {
  while (offset < text.size()) {
    const char c = text[offset];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++offset;
    } else if (c == '/' && text.compare(offset, 2, "//") == 0) {
      offset = std::min(text.find('\n', offset), text.size());
    } else if (c == '/' && text.compare(offset, 2, "/*") == 0) {
      const std::size_t close = text.find("*/", offset + 2);
      if (close == std::string::npos) return offset;
      offset = close + 2;
    } else {
      return offset;
    }
  }
  return text.size();
}

SyntaxFault explain_syntax(const std::string& text, std::size_t after, std::size_t failed, const std::string& reason) {
  const bool at_end = failed > text.size() || reason.find("unexpected end of input") != std::string::npos;
  const std::size_t last_read = std::min(failed == 0 ? 0 : failed - 1, text.size());
  const bool one_character = reason.find("unexpected '") != std::string::npos && last_read < text.size() &&
                             structural.find(text[last_read]) != std::string_view::npos;
  std::size_t offset = skip_blank(text, after);
  while (offset < last_read && (text[offset] == ',' || text[offset] == ':')) offset = skip_blank(text, offset + 1);
  if (one_character) offset = last_read;

  SyntaxFault fault{.offset = offset, .pointer = "", .code = "scenario.syntax", .text = ""};
  if (reason.find("number overflow") != std::string::npos) {
    fault.code = "scenario.not_finite";
    fault.text = word_at(text, offset) + " is larger than any number that a computer holds; write a finite number.";
    return fault;
  }
  if (const std::string why = own_reason(reason, "invalid string"); !why.empty()) {
    const bool open = why.find("missing closing quote") != std::string::npos || why.find("U+000A") != std::string::npos;
    fault.text = open ? "The text that begins here has no closing quote on its line."
                      : "The text that begins here is not valid JSON: " + why + ".";
    return fault;
  }
  if (const std::string why = own_reason(reason, "invalid comment"); !why.empty()) {
    fault.text = "The comment that begins here is not valid: write \"// ...\" or \"/* ... */\".";
    return fault;
  }
  if (at_end) fault.offset = text.size();
  const std::string expected = expected_after(reason);
  fault.text = "Found " + found_at(text, fault.offset) + " where " + expected + " is expected; " +
               way_out(text, after, fault.offset, expected);
  return fault;
}

}  // namespace saturn
