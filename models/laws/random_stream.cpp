#include "models/laws/random_stream.hpp"

#include <Random123/philox.h>

namespace saturn {

namespace {

double open_unit_interval(std::uint32_t low, std::uint32_t high) {
  const std::uint64_t bits = (std::uint64_t{high} << 32) | low;
  // An odd multiple of 2^-53 is exact in a double, so that rounding can give neither 0 nor 1.
  return static_cast<double>((bits >> 11) | 1u) * 0x1.0p-53;
}

}  // namespace

std::array<std::uint32_t, 4> philox_block(const std::array<std::uint32_t, 4>& counter,
                                          const std::array<std::uint32_t, 2>& key) {
  const r123::Philox4x32::ctr_type in = {{counter[0], counter[1], counter[2], counter[3]}};
  const auto out = r123::Philox4x32{}(in, {{key[0], key[1]}});
  return {out[0], out[1], out[2], out[3]};
}

double RandomStream::first_of_block() {
  // uniform() has counted this number already.
  const std::uint32_t block = (at_.drawn - 1) / 2;
  const auto words = philox_block({block, replication_, entity_, at_.purpose},
                                  {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
  // Purposes are small numbers: their upper half carries the count on, so that a stream never repeats itself.
  if (block == UINT32_MAX / 2) at_.purpose += 1u << 16;
  at_.second = open_unit_interval(words[2], words[3]);
  return open_unit_interval(words[0], words[1]);
}

}  // namespace saturn
