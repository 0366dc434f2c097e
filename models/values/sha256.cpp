#include "models/values/sha256.hpp"

#include <array>
#include <openssl/evp.h>
#include <stdexcept>

namespace saturn {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("SHA-256 is not available in the installed OpenSSL");
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) {
    hex += digits[digest[i] >> 4U];
    hex += digits[digest[i] & 0x0FU];
  }
  return hex;
}

}  // namespace saturn
