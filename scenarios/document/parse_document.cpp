#include "scenarios/document/parse_document.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/words/numbers.hpp"
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

namespace {

/// Explains where and why a text stops being JSON: what was found, what is expected, the way out.
/// @param after   end of the last value or key that was read [byte]
/// @param failed  number of characters that the parser had read when it gave up
/// @param reason  the parser's own words
SyntaxFault explain_syntax(const std::string& text, std::size_t after, std::size_t failed, const std::string& reason) {
  const bool at_end = failed > text.size() || reason.find("unexpected end of input") != std::string::npos;
  const std::size_t last_read = std::min(failed == 0 ? 0 : failed - 1, text.size());
  const bool one_character = reason.find("unexpected '") != std::string::npos && last_read < text.size() &&
                             structural.find(text[last_read]) != std::string_view::npos;
  std::size_t offset = skip_blank(text, after);
  while (offset < last_read && (text[offset] == ',' || text[offset] == ':')) offset = skip_blank(text, offset + 1);
  if (one_character) offset = last_read;

  SyntaxFault fault{.offset = offset, .code = "scenario.syntax", .text = ""};
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

// nlohmann's parser reports values but not where they stand. It has checked the text up to each report, so a second
// cursor finds the value's first character by skipping blanks, commas and colons.
class TreeBuilder {
 public:
  using Json = nlohmann::json;

  TreeBuilder(const std::string& text, std::size_t source, ParsedText& parsed)
      : text_(text), source_(source), parsed_(parsed) {}

  bool null() { return word(NodeKind::null); }
  bool boolean(bool) { return word(NodeKind::boolean); }
  bool number_integer(Json::number_integer_t) { return word(NodeKind::number); }
  bool number_unsigned(Json::number_unsigned_t) { return word(NodeKind::number); }
  bool number_float(Json::number_float_t, const Json::string_t&) { return word(NodeKind::number); }
  bool binary(Json::binary_t&) { return false; }

  bool string(Json::string_t& value) {
    const std::size_t begin = next_token();
    cursor_ = end_of_string(begin);
    Node* node = add(NodeKind::text, begin);
    if (node == nullptr) return false;
    node->text = std::move(value);
    return true;
  }

  bool key(Json::string_t& value) {
    const std::size_t begin = next_token();
    cursor_ = end_of_string(begin);
    const auto [first, is_new] = open_.back().keys.emplace(value, begin);
    if (!is_new) duplicate(value, begin, first->second);
    key_ = std::move(value);
    key_offset_ = begin;
    return true;
  }

  bool start_object(std::size_t) { return open(NodeKind::object); }
  bool start_array(std::size_t) { return open(NodeKind::list); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string&, const Exception& exception) {
    parsed_.faults.push_back(explain_syntax(text_, cursor_, position, exception.what()));
    return false;
  }

 private:
  struct OpenNode {
    Node* node;
    std::unordered_map<std::string, std::size_t> keys;  // and where each was first seen
  };

  std::size_t next_token() const {
    std::size_t offset = skip_blank(text_, cursor_);
    while (offset < text_.size() && (text_[offset] == ',' || text_[offset] == ':'))
      offset = skip_blank(text_, offset + 1);
    return offset;
  }

  std::size_t end_of_string(std::size_t begin) const {
    std::size_t i = begin + 1;
    while (i < text_.size() && text_[i] != '"') i += text_[i] == '\\' ? 2U : 1U;
    return std::min(i + 1, text_.size());
  }

  bool word(NodeKind kind) {
    const std::size_t begin = next_token();
    const std::size_t end = text_.find_first_of(" \t\r\n,]}/", begin);
    cursor_ = std::min(end, text_.size());
    Node* node = add(kind, begin);
    if (node == nullptr) return false;
    node->text = text_.substr(begin, cursor_ - begin);
    return true;
  }

  bool open(NodeKind kind) {
    const std::size_t begin = next_token();
    cursor_ = begin + 1;
    if (open_.size() == deepest_nesting) {
      stop(begin, "scenario.too_deep",
           "Lists and objects are nested more than " + std::to_string(deepest_nesting) +
               " deep here; a scenario needs no more than ten levels.");
      return false;
    }
    Node* node = add(kind, begin);
    if (node == nullptr) return false;
    open_.push_back({node, {}});
    return true;
  }

  bool close() {
    cursor_ = next_token() + 1;
    open_.pop_back();
    return true;
  }

  // Pointers to open nodes stay valid: a list of children only grows while its last child is closed.
  Node* add(NodeKind kind, std::size_t begin) {
    if (++values_ > most_values) {
      stop(begin, "scenario.too_many_values",
           "The document holds more than " + std::to_string(most_values) +
               " values; describe equal jobs by their count.");
      return nullptr;
    }
    Node* node = &parsed_.root;
    if (!open_.empty()) node = &open_.back().node->children.emplace_back();
    node->kind = kind;
    node->place = {source_, begin};
    if (!open_.empty() && open_.back().node->kind == NodeKind::object) {
      node->key = std::move(key_);
      node->key_place = {source_, key_offset_};
    }
    return node;
  }

  void stop(std::size_t offset, const char* code, std::string text) {
    parsed_.faults.push_back({.offset = offset, .code = code, .text = std::move(text)});
  }

  void duplicate(const std::string& name, std::size_t begin, std::size_t first) {
    constexpr std::size_t most_reported = 100;
    if (parsed_.faults.size() >= most_reported) return;
    std::string pointer;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const Node& node = *open_[i].node;
      if (i > 0) pointer += "/" + step_to(*open_[i - 1].node, node);
    }
    pointer += "/" + escape_pointer(name);
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(first), '\n');
    parsed_.faults.push_back(
        {.offset = begin,
         .pointer = pointer,
         .code = "scenario.duplicate_key",
         .text = pointer + " is given twice, first on line " + std::to_string(line) + "; keep one of the two."});
  }

  static std::string step_to(const Node& parent, const Node& child) {
    return parent.kind == NodeKind::object ? escape_pointer(child.key) : std::to_string(parent.children.size() - 1);
  }

  const std::string& text_;
  std::size_t source_;
  ParsedText& parsed_;
  std::size_t cursor_ = 0;
  std::size_t values_ = 0;
  std::vector<OpenNode> open_;
  std::string key_;
  std::size_t key_offset_ = 0;
};

}  // namespace

ParsedText parse_document(const std::string& text, std::size_t source) {
  ParsedText parsed;
  TreeBuilder builder(text, source, parsed);
  parsed.complete = nlohmann::json::sax_parse(text, &builder, nlohmann::json::input_format_t::json, true, true);
  return parsed;
}

namespace {

bool is_plain(char c) {
  return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

/// Most numbers of a scenario: they are written as they were read.
bool is_plain_count(std::string_view number) {
  constexpr std::size_t most_digits = 18;
  const bool digits = std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits && number.size() <= most_digits && (number == "0" || !number.starts_with('0'));
}

/// Writes values as nlohmann's dump() would, without its tree of them, which costs five times as much.
class NodeWriter {
 public:
  explicit NodeWriter(int indent) : indent_(indent) {}

  void write(const Node& node) {
    switch (node.kind) {
      case NodeKind::null:
        text_ += "null";
        return;
      case NodeKind::boolean:
        text_ += node.text;
        return;
      case NodeKind::number:
        text_ += is_plain_count(node.text) ? node.text : nlohmann::json::parse(node.text).dump();
        return;
      case NodeKind::text:
        write_text(node.text);
        return;
      case NodeKind::list:
        write_children(pointers_to(node), '[', ']');
        return;
      case NodeKind::object:
        write_children(by_key(node), '{', '}');
        return;
    }
  }

  std::string taken() { return std::move(text_); }

 private:
  void write_text(const std::string& text) {
    if (std::all_of(text.begin(), text.end(), is_plain))
      text_.append(1, '"').append(text).append(1, '"');
    else
      text_ += nlohmann::json(text).dump();
  }

  void write_children(const std::vector<const Node*>& children, char begin, char end) {
    text_ += begin;
    ++depth_;
    for (const Node* child : children) {
      if (child != children.front()) text_ += ',';
      begin_line();
      if (begin == '{') {
        write_text(child->key);
        text_ += indent_ < 0 ? ":" : ": ";
      }
      write(*child);
    }
    --depth_;
    if (!children.empty()) begin_line();
    text_ += end;
  }

  void begin_line() {
    if (indent_ >= 0) text_.append(1, '\n').append(depth_ * static_cast<std::size_t>(indent_), ' ');
  }

  static std::vector<const Node*> pointers_to(const Node& node) {
    std::vector<const Node*> children;
    for (const Node& child : node.children) children.push_back(&child);
    return children;
  }

  /// In alphabetical order; of a key that is given twice, the last.
  static std::vector<const Node*> by_key(const Node& node) {
    std::vector<const Node*> children = pointers_to(node);
    std::reverse(children.begin(), children.end());
    std::stable_sort(children.begin(), children.end(), [](const Node* a, const Node* b) { return a->key < b->key; });
    const auto same_key = [](const Node* a, const Node* b) { return a->key == b->key; };
    children.erase(std::unique(children.begin(), children.end(), same_key), children.end());
    return children;
  }

  int indent_;
  std::size_t depth_ = 0;
  std::string text_;
};

}  // namespace

std::optional<double> number_in(const Node& node) {
  return node.kind == NodeKind::number ? read_number(node.text) : std::nullopt;
}

std::string json_text(const Node& node, int indent) {
  NodeWriter writer(indent);
  writer.write(node);
  return writer.taken();
}

std::string override_text(const Node& node) {
  if (node.kind == NodeKind::text && !nlohmann::json::accept(node.text, true)) return node.text;
  return json_text(node, -1);
}

}  // namespace saturn
