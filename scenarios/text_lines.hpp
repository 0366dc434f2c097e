#pragma once

#include <cstddef>
#include <string>
#include <vector>

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

}  // namespace saturn
