#pragma once

#include <compare>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document/complaints.hpp"

namespace saturn {

// A JSON document that remembers where every value stands, so that complaints can show the place.

/// Where a value begins: which source, and how many bytes into it.
struct Place {
  std::size_t source = 0;  ///< index into Document::sources
  std::size_t offset = 0;  ///< [byte]

  auto operator<=>(const Place&) const = default;
};

enum class NodeKind { null, boolean, number, text, list, object };

/// One value of a document.
struct Node {
  NodeKind kind = NodeKind::null;
  std::string text;            ///< a text without its quotes and escapes; a number, true or false as written
  std::string key;             ///< when the parent is an object
  Place key_place;             ///< of the key's opening quote
  Place place;                 ///< of the value's first character
  std::vector<Node> children;  ///< elements of a list, values of an object, in the order of the source

  /// The value of a key; nullptr when absent or when this is no object.
  const Node* find(std::string_view wanted) const;
};

/// A text that values come from.
struct SourceText {
  std::string name;       ///< as complaints print it
  std::string text;       ///< UTF-8
  bool has_lines = true;  ///< false for a command-line option: complaints then show no line
};

struct Document {
  std::vector<SourceText> sources;  ///< the file first, then the overrides
  Node root;

  /// The value at a JSON pointer, or its nearest ancestor that exists.
  const Node& nearest(std::string_view pointer) const;
  /// A complaint that shows the place. Cost: O(length of the line)
  Complaint complaint_at(Place place, std::string code, std::string text) const;
  /// Line of a place, from 1. Cost: O(offset)
  std::size_t line_of(Place place) const;
};

/// A key as a JSON pointer spells it: "~" is "~0", "/" is "~1".
std::string escape_pointer(std::string_view key);

/// The keys of a JSON pointer, unescaped; "/jobs/0" gives {"jobs", "0"}, "" gives {}.
std::vector<std::string> split_pointer(std::string_view pointer);

/// The child that a key of a JSON pointer names: by key in an object, by index in a list; nullptr when there is none.
const Node* child_of(const Node& parent, std::string_view key);
Node* child_of(Node& parent, std::string_view key);

/// The value at a JSON pointer; nullptr when there is none.
const Node* node_at(const Node& root, std::string_view pointer);
Node* node_at(Node& root, std::string_view pointer);

/// A value as a message shows it: short, on one line, without control characters.
std::string shown(const Node& node);
/// A text in quotes as a message shows it.
std::string shown(std::string_view text);

/// First byte that is not part of valid UTF-8; npos when all is.
std::size_t first_invalid_utf8(std::string_view text);

/// Complaints and warnings about one document, collected so that the user sees all of them at once.
class ComplaintList {
 public:
  /// @param pointer  JSON pointer of the guilty value, also when it is absent
  void refuse(Place place, const std::string& pointer, std::string code, std::string text);
  /// Makes the value at the pointer unsound without a complaint of its own: another one covers it.
  void distrust(const std::string& pointer) { refused_pointers_.insert(pointer); }
  void warn(Place place, const std::string& pointer, std::string code, std::string text);

  /// True when nothing was refused at the pointer, below it, or at one of its ancestors: what was decoded from there
  /// can be trusted.
  bool sound(const std::string& pointer) const;
  /// True when nothing was refused at the pointer or at one of its ancestors: the entries of the list or object that
  /// stands there are all known, though some may be wrong inside.
  bool complete(const std::string& pointer) const;
  bool empty() const { return refused_.empty(); }
  /// So many complaints that further ones need no effort.
  bool full() const { return refused_.size() >= most_kept; }

  /// The complaints by position, each once; after the first 50 one that says how many more there are.
  std::vector<Complaint> complaints(const Document& document) const { return located(refused_, document); }
  /// The warnings in the same way.
  std::vector<Complaint> warnings(const Document& document) const { return located(warned_, document); }

 private:
  static constexpr std::size_t most_kept = 1000;
  static constexpr std::size_t most_printed = 50;

  struct Entry {
    Place place;
    std::string code;
    std::string text;
    auto operator<=>(const Entry&) const = default;
  };

  static void keep(std::vector<Entry>& entries, Entry entry);
  static std::vector<Complaint> located(std::vector<Entry> entries, const Document& document);

  std::vector<Entry> refused_;
  std::vector<Entry> warned_;
  std::set<std::string> refused_pointers_;
};

}  // namespace saturn
