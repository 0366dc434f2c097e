#include "scenarios/parse_document.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scenarios/syntax_fault.hpp"

namespace saturn {

namespace {

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
    parsed_.faults.push_back({.offset = offset, .pointer = "", .code = code, .text = std::move(text)});
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

}  // namespace saturn
