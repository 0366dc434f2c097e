#include "scenarios/fingerprint.hpp"

#include <cstdint>
#include <fmt/core.h>

namespace saturn {

std::string fingerprint_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return fmt::format("{} bytes, FNV-1a {:x}", text.size(), hash);
}

}  // namespace saturn
