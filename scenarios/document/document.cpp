#include "scenarios/document/document.hpp"

#include <algorithm>
#include <utility>

#include "models/words/numbers.hpp"

namespace saturn {

void ComplaintList::keep(std::vector<Entry>& entries, Entry entry) {
  constexpr std::size_t longest_text = 1500;
  if (entries.size() >= most_kept) return;
  if (entry.text.size() > longest_text) entry.text = entry.text.substr(0, longest_text) + "...";
  entries.push_back(std::move(entry));
}

void ComplaintList::refuse(Place place, const std::string& pointer, std::string code, std::string text) {
  // Also beyond what is kept: whoever asks whether the value can be trusted must hear that it cannot.
  refused_pointers_.insert(pointer);
  keep(refused_, {place, std::move(code), std::move(text)});
}

void ComplaintList::warn(Place place, const std::string&, std::string code, std::string text) {
  keep(warned_, {place, std::move(code), std::move(text)});
}

bool ComplaintList::complete(const std::string& pointer) const {
  std::size_t end = pointer.size();
  while (!refused_pointers_.contains(pointer.substr(0, end))) {
    if (end == 0) return true;
    const std::size_t slash = pointer.rfind('/', end - 1);
    end = slash == std::string::npos ? 0 : slash;
  }
  return false;
}

bool ComplaintList::sound(const std::string& pointer) const {
  if (!complete(pointer)) return false;
  const auto below = refused_pointers_.lower_bound(pointer + "/");
  return below == refused_pointers_.end() || !below->starts_with(pointer + "/");
}

std::vector<Complaint> ComplaintList::located(std::vector<Entry> entries, const Document& document) {
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  std::vector<Complaint> complaints;
  for (const Entry& entry : entries) {
    if (complaints.size() == most_printed) {
      complaints.push_back({.source = document.sources.front().name,
                            .code = "scenario.more_complaints",
                            .text = "And " + std::to_string(entries.size() - most_printed) +
                                    " more; correct these first and read again."});
      break;
    }
    complaints.push_back(document.complaint_at(entry.place, entry.code, entry.text));
  }
  return complaints;
}

namespace {

constexpr std::size_t longest_shown = 60;

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// Bytes of the character that begins with `lead`, or 0; `low` and `high` bound its second byte (no overlong forms, no
// surrogates, nothing above U+10FFFF), as table 3-7 of the Unicode standard lists them.
std::size_t character_length(unsigned char lead, unsigned char& low, unsigned char& high) {
  low = 0x80, high = 0xBF;
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

}  // namespace

const Node* Node::find(std::string_view wanted) const {
  if (kind != NodeKind::object) return nullptr;
  const auto found = std::find_if(children.begin(), children.end(), [&](const Node& n) { return n.key == wanted; });
  return found == children.end() ? nullptr : &*found;
}

const Node* child_of(const Node& parent, std::string_view key) {
  if (parent.kind == NodeKind::object) return parent.find(key);
  if (parent.kind != NodeKind::list || key.empty() || (key.size() > 1 && key.front() == '0')) return nullptr;
  const std::optional<std::uint64_t> index = read_count(key);
  return index && *index < parent.children.size() ? &parent.children[*index] : nullptr;
}

Node* child_of(Node& parent, std::string_view key) {
  const Node* child = child_of(std::as_const(parent), key);
  return child == nullptr ? nullptr : &parent.children[static_cast<std::size_t>(child - parent.children.data())];
}

const Node* node_at(const Node& root, std::string_view pointer) {
  const Node* node = pointer.empty() || pointer.front() == '/' ? &root : nullptr;
  for (const std::string& key : split_pointer(pointer)) node = node == nullptr ? nullptr : child_of(*node, key);
  return node;
}

Node* node_at(Node& root, std::string_view pointer) {
  Node* node = &root;
  if (node_at(std::as_const(root), pointer) == nullptr) return nullptr;
  for (const std::string& key : split_pointer(pointer)) node = child_of(*node, key);
  return node;
}

const Node& Document::nearest(std::string_view pointer) const {
  const Node* node = &root;
  for (const std::string& key : split_pointer(pointer)) {
    const Node* next = child_of(*node, key);
    if (next == nullptr) break;
    node = next;
  }
  return *node;
}

std::size_t Document::line_of(Place place) const {
  const std::string& text = sources[place.source].text;
  const std::size_t end = std::min(place.offset, text.size());
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
}

Complaint Document::complaint_at(Place place, std::string code, std::string text) const {
  const SourceText& source = sources[place.source];
  Complaint complaint;
  complaint.source = source.name;
  complaint.code = std::move(code);
  complaint.text = std::move(text);
  if (!source.has_lines) return complaint;

  const std::size_t offset = std::min(place.offset, source.text.size());
  const std::size_t newline = offset == 0 ? std::string::npos : source.text.rfind('\n', offset - 1);
  const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
  const std::size_t end = std::min(source.text.find('\n', offset), source.text.size());
  const std::string_view line = std::string_view(source.text).substr(begin, end - begin);
  const std::string_view before = line.substr(0, offset - begin);
  complaint.line = line_of(place);
  complaint.column = 1 + static_cast<std::size_t>(std::count_if(before.begin(), before.end(),
                                                                [](char c) { return !continues_character(c); }));
  // A line may be as long as the file: only the part round the caret is kept.
  constexpr std::size_t kept = 400;
  std::size_t cut = before.size() > kept ? before.size() - kept : 0;
  while (cut < before.size() && continues_character(line[cut])) ++cut;
  std::size_t stop = std::min(line.size(), before.size() + kept);
  while (stop < line.size() && continues_character(line[stop])) ++stop;
  complaint.excerpt = std::string(line.substr(cut, stop - cut));
  const std::string_view left_out = line.substr(0, cut);
  complaint.excerpt_begins_at =
      1 + static_cast<std::size_t>(
              std::count_if(left_out.begin(), left_out.end(), [](char c) { return !continues_character(c); }));
  return complaint;
}

std::string escape_pointer(std::string_view key) {
  std::string escaped;
  for (const char c : key) {
    if (c == '~')
      escaped += "~0";
    else if (c == '/')
      escaped += "~1";
    else
      escaped += c;
  }
  return escaped;
}

std::vector<std::string> split_pointer(std::string_view pointer) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/')
      keys.emplace_back();
    else if (keys.empty())
      keys.emplace_back(1, pointer[i]);
    else if (pointer[i] == '~' && i + 1 < pointer.size() && (pointer[i + 1] == '0' || pointer[i + 1] == '1'))
      keys.back() += pointer[++i] == '0' ? '~' : '/';
    else
      keys.back() += pointer[i];
  }
  return keys;
}

std::string shown(std::string_view text) {
  std::string quoted = "\"";
  std::size_t characters = 0;
  for (const char c : text) {
    if (!continues_character(c) && ++characters > longest_shown) {
      quoted += "...";
      break;
    }
    const auto byte = static_cast<unsigned char>(c);
    quoted += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  return quoted + "\"";
}

std::string shown(const Node& node) {
  switch (node.kind) {
    case NodeKind::null:
      return "null";
    case NodeKind::text:
      return shown(std::string_view(node.text));
    case NodeKind::list:
      return node.children.empty() ? "an empty list" : "a list";
    case NodeKind::object:
      return node.children.empty() ? "an empty object" : "an object";
    case NodeKind::boolean:
    case NodeKind::number:
      break;
  }
  return node.text.size() <= longest_shown ? node.text : node.text.substr(0, longest_shown) + "...";
}

std::size_t first_invalid_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    unsigned char low = 0;
    unsigned char high = 0;
    const std::size_t length = character_length(static_cast<unsigned char>(text[i]), low, high);
    if (length == 0 || i + length > text.size()) return i;
    for (std::size_t k = 1; k < length; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if (k == 1 ? byte < low || byte > high : !continues_character(text[i + k])) return i;
    }
    i += length;
  }
  return std::string_view::npos;
}

}  // namespace saturn
