#pragma once

#include <cstddef>

namespace saturn {

/// Asks the processor for the cache lines at an address that will be needed soon; has no effect on results.
inline void prefetch(const void* address, std::size_t lines) {
  constexpr std::size_t line_bytes = 64;
  const char* line = static_cast<const char*>(address);
  for (std::size_t i = 0; i < lines; ++i) __builtin_prefetch(line + i * line_bytes, 1);
}

}  // namespace saturn
