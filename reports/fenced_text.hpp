#pragma once

#include <string>

namespace saturn {

/// A block of Markdown that shows a text as it is: its fence is longer than any in the text.
std::string fenced_text(const std::string& text);

}  // namespace saturn
