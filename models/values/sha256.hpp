#pragma once

#include <string>
#include <string_view>

namespace saturn {

/// SHA-256 in lower-case hexadecimal, 64 characters.
/// @throws std::runtime_error  the cryptographic library refuses
std::string sha256_hex(std::string_view bytes);

}  // namespace saturn
