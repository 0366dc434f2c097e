#include "scenarios/triton/triton_fault.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"

namespace saturn {

TextLines::TextLines(const std::string& text) : length_(text.size()), anchors_{{0, 0, 0}} {
  constexpr int tab_width = 8;
  int line = 0;
  int column = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n' && text[i] != '\t') {
      ++column;
      continue;
    }
    line += text[i] == '\n' ? 1 : 0;
    column = text[i] == '\n' ? 0 : column + tab_width - column % tab_width;
    anchors_.push_back({line, column, i + 1});
  }
}

std::size_t TextLines::offset(int line, int column) const {
  const auto after = std::upper_bound(anchors_.begin(), anchors_.end(), std::pair{line, column},
                                      [](const std::pair<int, int>& place, const Anchor& anchor) {
                                        return place < std::pair{anchor.line, anchor.column};
                                      });
  if (after == anchors_.begin()) return 0;
  const Anchor& anchor = *(after - 1);
  if (anchor.line != line) return length_;
  return std::min(anchor.offset + static_cast<std::size_t>(column - anchor.column), length_);
}

namespace {

constexpr std::string_view blank = " \t\r\n";

/// The n-th text in double quotes of a message, from 0.
std::string quoted_in(const std::string& message, int n) {
  std::size_t at = 0;
  for (;; --n) {
    const std::size_t open = message.find('"', at);
    const std::size_t close = open == std::string::npos ? open : message.find('"', open + 1);
    if (close == std::string::npos) return "";
    if (n == 0) return message.substr(open + 1, close - open - 1);
    at = close + 1;
  }
}

/// Where a word last stands before a place.
std::size_t word_before(const std::string& text, std::size_t offset, const std::string& word) {
  const std::size_t at = word.empty() || offset == 0 ? std::string::npos : text.rfind(word, offset - 1);
  return at == std::string::npos ? offset : at;
}

/// The first mark of a template on the line of a place: its offset and what it looks like.
std::optional<std::pair<std::size_t, std::string>> template_mark(const std::string& text, std::size_t offset) {
  const std::size_t newline = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
  const std::size_t end = std::min(text.find('\n', offset), text.size());
  const std::string_view line = std::string_view(text).substr(begin, end - begin);
  using Brackets = std::pair<std::string_view, std::string_view>;
  constexpr std::array brackets{Brackets{"${", "}"}, Brackets{"{{", "}}"}, Brackets{"{%", "%}"}, Brackets{"$(", ")"},
                                Brackets{"<", ">"}};
  for (const auto& [open, close] : brackets) {
    const std::size_t first = line.find(open);
    if (first == std::string_view::npos) continue;
    const std::size_t last = line.find(close, first);
    if (last == std::string_view::npos) continue;
    return std::pair{begin + first, std::string(line.substr(first, last + close.size() - first))};
  }
  return std::nullopt;
}

bool nothing_follows(const std::string& text, std::size_t offset) {
  return text.find_first_not_of(blank, offset) == std::string::npos;
}

}  // namespace

std::optional<SyntaxFault> triton_shape_fault(const std::string& text, int deepest) {
  int depth = 0;
  bool anything = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == '\\') ++i;
      if (c == quote || c == '\n') quote = '\0';
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    anything = anything || blank.find(c) == std::string_view::npos;
    if (c == '"' || c == '\'') quote = c;
    if (c == '{' || c == '[' || c == '<') ++depth;
    if (c == '}' || c == ']' || c == '>') --depth;
    if (depth > deepest)
      return SyntaxFault{.offset = i,
                         .pointer = "",
                         .code = "triton.too_deep",
                         .text = "Fields are nested more than " + std::to_string(deepest) +
                                 " deep here; a model configuration needs no more than ten levels."};
  }
  if (anything) return std::nullopt;
  return SyntaxFault{.offset = 0,
                     .pointer = "",
                     .code = "triton.empty",
                     .text =
                         "The model configuration is empty; leave \"triton_config\" out, or name the file that the "
                         "server uses."};
}

SyntaxFault triton_fault(const std::string& text, std::size_t offset, const std::string& message,
                         const std::vector<std::string>& allowed) {
  SyntaxFault fault{.offset = offset, .pointer = "", .code = "triton.syntax", .text = ""};
  if (!allowed.empty()) {
    const std::string value = quoted_in(message, 0);
    const std::string nearest = nearest_name(value, allowed);
    fault.offset = word_before(text, offset, value);
    fault.code = "triton.unknown_value";
    fault.text = shown(value) + " is no value of " + shown(quoted_in(message, 1)) + "; allowed is " + listed(allowed) +
                 (nearest.empty() ? "." : ". Did you mean \"" + nearest + "\"?");
  } else if (const auto hole = template_mark(text, offset)) {
    fault.offset = hole->first;
    fault.code = "triton.template";
    fault.text = "The file is a template: " + shown(hole->second) +
                 " stands where a value belongs. Fill the template in, as for the server, and name the result.";
  } else if (nothing_follows(text, offset)) {
    fault.code = "triton.cut_short";
    fault.text = "The text ends in the middle of a field: the file was cut short. Copy it again as a whole.";
  } else {
    fault.text =
        "This is no model configuration in protobuf's text format; its parser says: " + message.substr(0, 200) +
        (message.ends_with('.') ? "" : ".") + " Correct the line, or fill it in if the file is a template.";
  }
  return fault;
}

SyntaxFault triton_warning(const std::string& text, std::size_t offset, const std::string& message,
                           const std::function<std::vector<std::string>(const std::string&)>& field_names) {
  const std::string field = quoted_in(message, 1);
  const std::string nearest = nearest_name(field, field_names(quoted_in(message, 0)));
  return {.offset = word_before(text, offset, field),
          .pointer = "",
          .code = "triton.unknown_field",
          .text = shown(field) + " is not read, as the simulation has no use for it." +
                  (nearest.empty() ? "" : " Did you mean \"" + nearest + "\"?")};
}

}  // namespace saturn
