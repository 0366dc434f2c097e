#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/document/parse_document.hpp"

namespace saturn {

/// The lines of a text, to turn the places of protobuf's tokenizer into offsets: it counts lines and columns from 0,
/// columns in bytes, and a tab goes on to the next multiple of 8.
class TextLines {
 public:
  /// Cost: O(length)
  explicit TextLines(const std::string& text);

  /// Offset of a place, at most the text's length. [byte] Cost: O(log(length))
  std::size_t offset(int line, int column) const;

 private:
  /// A place from which on columns and bytes run alike: the beginning of a line, or behind a tab.
  struct Anchor {
    int line;
    int column;
    std::size_t offset;
  };

  std::size_t length_;
  std::vector<Anchor> anchors_;
};

// Explains what is wrong with a config.pbtxt, in our own words.

/// What can be seen before the text is parsed: nothing in it (triton.empty), or fields nested deeper than `deepest`
/// (triton.too_deep).
std::optional<SyntaxFault> triton_shape_fault(const std::string& text, int deepest);

/// Explains an error of protobuf's parser.
/// @param offset   where it stopped [byte]
/// @param message  its own words
/// @param allowed  values of the enumeration that the message is about, if any
SyntaxFault triton_fault(const std::string& text, std::size_t offset, const std::string& message,
                         const std::vector<std::string>& allowed);

/// A field that is not known.
/// @param offset       behind its name [byte]
/// @param field_names  names of the fields of a message type
SyntaxFault triton_warning(const std::string& text, std::size_t offset, const std::string& message,
                           const std::function<std::vector<std::string>(const std::string&)>& field_names);

}  // namespace saturn
