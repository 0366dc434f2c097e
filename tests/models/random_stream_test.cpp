#include "models/laws/random_stream.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

namespace saturn {

using Words = std::array<std::uint32_t, 4>;

TEST_CASE("Philox4x32-10 gives the known answers published with Random123") {
  CHECK(philox_block({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox_block({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox_block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE(
    "a stream's numbers come two a block, from counter (block, replication, entity, purpose) and the seed as key") {
  const std::uint64_t seed = 0x299f31d0a4093822;
  RandomStream stream(seed, 5, 7, Purpose::service);
  for (std::uint32_t block = 0; block < 3; ++block) {
    const Words words = philox_block({block, 5, 7, 3}, {0xa4093822, 0x299f31d0});
    for (const std::size_t half : {0u, 2u}) {
      const double bits = std::floor((words[half + 1] * 0x1p32 + words[half]) * 0x1p-12);
      CHECK(stream.uniform() == (bits + 0.5) * 0x1p-52);
    }
  }
}

TEST_CASE("streams that differ in seed, replication, entity or purpose differ") {
  std::set<double> firsts;
  for (const std::uint64_t seed : {1ull, 2ull, 1ull << 40}) {
    for (const std::uint32_t replication : {0u, 1u}) {
      for (const std::uint32_t entity : {0u, 1u}) {
        for (const Purpose purpose : {Purpose::start, Purpose::cpu_stage, Purpose::service, Purpose::dispatch}) {
          firsts.insert(RandomStream(seed, replication, entity, purpose).uniform());
        }
      }
    }
  }
  CHECK(firsts.size() == 3 * 2 * 2 * 4);
}

}  // namespace saturn
