#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace saturn {

/// Why a file that a scenario names was not read.
struct FileFault {
  const char* code;
  std::string text;  ///< what follows the file's name in a sentence
};

/// Reads a whole regular file of at most `largest` bytes into `text`.
/// @returns the fault, or nothing. Codes: scenario.missing_file, .not_a_file, .unreadable_file, .too_large
std::optional<FileFault> read_regular_file(const std::string& name, std::size_t largest, std::string& text);

}  // namespace saturn
