#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace saturn {

/// A text with a colon before every list that follows its field's name directly, as in `parameters [ ... ]`: protobuf's
/// parser asks for it when it skips fields that it does not know.
struct WithColons {
  std::string text;
  std::vector<std::size_t> inserted;  ///< offsets of the new colons in `text`, ascending [byte]

  /// Offset in the text as it was.
  std::size_t original(std::size_t offset) const;
};
WithColons with_colons(const std::string& text);

}  // namespace saturn
