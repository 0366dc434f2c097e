#pragma once

#include <cstddef>
#include <string>

namespace saturn {

/// A text from a file as one line that does no harm to a terminal: control characters become spaces, bytes that are no
/// UTF-8 become "?", and what is longer than so many characters ends in "…".
/// @param most  characters, >= 1
std::string terminal_text(const std::string& text, std::size_t most = 200);

/// Lines of at most so many characters, broken at spaces, the first one indented by `first`, the others by `rest`.
/// Words that are longer than a line are broken. Ends with a newline.
std::string wrapped_text(const std::string& text, std::size_t width, const std::string& first, const std::string& rest);

}  // namespace saturn
