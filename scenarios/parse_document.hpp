#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/document.hpp"

namespace saturn {

/// Something wrong with a text as JSON.
struct SyntaxFault {
  std::size_t offset = 0;  ///< [byte]
  std::string pointer;     ///< of the value, where one can be named
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

}  // namespace saturn
