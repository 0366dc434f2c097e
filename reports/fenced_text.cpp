#include "reports/fenced_text.hpp"

#include <algorithm>

namespace saturn {

std::string fenced_text(const std::string& text) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

}  // namespace saturn
