#include "scenarios/text_lines.hpp"

#include <algorithm>
#include <utility>

namespace saturn {

TextLines::TextLines(const std::string& text) : length_(text.size()), anchors_{{0, 0, 0}} {
  constexpr int tab_width = 8;
  int line = 0;
  int column = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n' && text[i] != '\t') {
      ++column;
      continue;
    }
    line += text[i] == '\n' ? 1 : 0;
    column = text[i] == '\n' ? 0 : column + tab_width - column % tab_width;
    anchors_.push_back({line, column, i + 1});
  }
}

std::size_t TextLines::offset(int line, int column) const {
  const auto after = std::upper_bound(anchors_.begin(), anchors_.end(), std::pair{line, column},
                                      [](const std::pair<int, int>& place, const Anchor& anchor) {
                                        return place < std::pair{anchor.line, anchor.column};
                                      });
  if (after == anchors_.begin()) return 0;
  const Anchor& anchor = *(after - 1);
  if (anchor.line != line) return length_;
  return std::min(anchor.offset + static_cast<std::size_t>(column - anchor.column), length_);
}

}  // namespace saturn
