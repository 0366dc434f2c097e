#include "scenarios/fingerprint.hpp"

#include <array>
#include <charconv>
#include <cstdint>

namespace saturn {

std::string fingerprint_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  std::array<char, 17> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + 16, hash, 16);
  return std::to_string(text.size()) + " bytes, FNV-1a " + std::string(digits.data(), end.ptr);
}

}  // namespace saturn
