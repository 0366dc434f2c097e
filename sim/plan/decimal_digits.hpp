#pragma once

#include <charconv>
#include <string>

namespace saturn {

/// A finite number with as few digits as name it exactly: 0.002 -> "0.002".
inline std::string decimal_digits(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

}  // namespace saturn
