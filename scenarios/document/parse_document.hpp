#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/document/document.hpp"

namespace saturn {

/// Something wrong with a text as JSON.
struct SyntaxFault {
  std::size_t offset = 0;  ///< [byte]
  std::string pointer{};   ///< of the value, where one can be named
  std::string code;
  std::string text;
};

/// A text as a tree of values.
struct ParsedText {
  Node root;
  bool complete = false;            ///< the whole text was read; otherwise `root` holds nothing of use
  std::vector<SyntaxFault> faults;  ///< duplicate keys, or what ended the reading
};

/// Deepest nesting of lists and objects, and most values of a document, that are accepted.
inline constexpr std::size_t deepest_nesting = 64;
inline constexpr std::size_t most_values = 1'000'000;

/// Reads JSON with `//` and `/* */` comments. Numbers keep their spelling.
/// @param text    valid UTF-8 without a byte-order mark
/// @param source  what Place::source of the values is set to
/// Codes: scenario.syntax, scenario.not_finite, scenario.duplicate_key, scenario.too_deep, scenario.too_many_values
ParsedText parse_document(const std::string& text, std::size_t source);

/// Skips white space and comments.
/// @returns offset of the next other character, or the text's length
std::size_t skip_blank(const std::string& text, std::size_t offset);

/// A number of JSON, when it is finite.
std::optional<double> number_in(const Node& node);

/// A value of a document as JSON text, the keys of objects in alphabetical order.
/// @param indent  spaces a level; below 0: on one line
std::string json_text(const Node& node, int indent);

/// A value as a `--set` option spells it, on one line: a text without its quotes, unless it would then be read as
/// something else.
std::string override_text(const Node& node);

}  // namespace saturn
