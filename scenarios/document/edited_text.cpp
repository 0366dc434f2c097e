#include "scenarios/document/edited_text.hpp"

#include <utility>
#include <vector>

#include "scenarios/document/document.hpp"
#include "scenarios/document/parse_document.hpp"

namespace saturn {

namespace {

/// Offset behind the text that begins at the quote.
std::size_t end_of_quoted(const std::string& text, std::size_t offset) {
  for (++offset; offset < text.size() && text[offset] != '"'; ++offset)
    if (text[offset] == '\\') ++offset;
  return offset + 1;
}

/// Offset behind the value that begins here.
std::size_t end_of_value(const std::string& text, std::size_t offset) {
  std::size_t depth = 0;
  while (offset < text.size()) {
    const char c = text[offset];
    if (c == '"')
      offset = end_of_quoted(text, offset);
    else {
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      ++offset;
    }
    const bool is_word = c != '"' && c != '{' && c != '[' && c != '}' && c != ']';
    const std::size_t next = skip_blank(text, offset);
    const bool ends =
        next > offset || next >= text.size() || std::string_view(",]}:").find(text[next]) != std::string::npos;
    if (depth == 0 && (!is_word || ends)) return offset;
    if (depth > 0) offset = next;
  }
  return offset;
}

std::string quoted(const std::string& text) {
  Node node;
  node.kind = NodeKind::text;
  node.text = text;
  return json_text(node, -1);
}

/// A value as the file spells it: JSON as it stands, else a text.
std::string spelled(const std::string& value) {
  const ParsedText parsed = parse_document(value, 0);
  return parsed.complete ? json_text(parsed.root, -1) : quoted(value);
}

/// Takes a member of an object away, with the comma that it no longer needs.
void remove_member(std::string& text, const Node& parent, const Node& member) {
  const std::size_t end = end_of_value(text, member.place.offset);
  const std::size_t behind = skip_blank(text, end);
  if (text[behind] == ',') {
    text.erase(member.key_place.offset, skip_blank(text, behind + 1) - member.key_place.offset);
    return;
  }
  if (&member == &parent.children.front()) {
    text.erase(member.key_place.offset, end - member.key_place.offset);
    return;
  }
  const Node& before = *(&member - 1);
  const std::size_t comma = skip_blank(text, end_of_value(text, before.place.offset));
  const bool has_comment = text.find('/', comma) < member.key_place.offset;
  text.erase(has_comment ? member.key_place.offset : comma, end - (has_comment ? member.key_place.offset : comma));
  if (has_comment) text.erase(comma, 1);
}

/// False where the value has no place.
bool edit(std::string& text, const Override& change) {
  const ParsedText parsed = parse_document(text, 0);
  if (!parsed.complete) return false;
  const std::vector<std::string> keys = split_pointer(change.pointer);
  const Node* node = &parsed.root;
  const Node* parent = nullptr;
  std::size_t known = 0;
  for (; known < keys.size(); ++known) {
    const Node* child = child_of(*node, keys[known]);
    if (child == nullptr) break;
    parent = node;
    node = child;
  }
  const bool removes = change.value == "null";
  if (known == keys.size()) {
    if (parent == nullptr) return false;
    if (removes && parent->kind == NodeKind::object)
      remove_member(text, *parent, *node);
    else
      text.replace(node->place.offset, end_of_value(text, node->place.offset) - node->place.offset,
                   spelled(change.value));
    return true;
  }
  if (node->kind != NodeKind::object) return false;
  if (removes) return true;
  std::string value = spelled(change.value);
  for (std::size_t k = keys.size() - 1; k > known; --k) value = "{" + quoted(keys[k]) + ": " + value + "}";
  text.insert(node->place.offset + 1, " " + quoted(keys[known]) + ": " + value + (node->children.empty() ? " " : ","));
  return true;
}

}  // namespace

std::optional<std::string> edited_text(std::string text, std::span<const Override> changes) {
  for (const Override& change : changes)
    if (!edit(text, change)) return std::nullopt;
  return text;
}

}  // namespace saturn
