#include "reports/provenance.hpp"

#include <array>
#include <openssl/evp.h>
#include <stdexcept>

namespace saturn {

std::string sha256_hex(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
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

Provenance provenance_of(std::string_view resolved_scenario, std::uint64_t seed, std::string command) {
  return {.version = SATURN_VERSION,
          .simgrid = SATURN_SIMGRID_VERSION,
          .git = SATURN_GIT,
          .seed = seed,
          .scenario_sha256 = resolved_scenario.empty() ? "" : sha256_hex(resolved_scenario),
          .command = std::move(command),
          .fitted = {}};
}

}  // namespace saturn
