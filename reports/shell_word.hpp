#pragma once

#include <string>

namespace saturn {

/// A word as a POSIX shell reads it back, whatever characters it holds but zero bytes: in single quotes where it holds
/// anything but plain characters.
std::string shell_word(const std::string& word);

}  // namespace saturn
