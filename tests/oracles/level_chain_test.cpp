#include "tests/oracles/level_chain.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "models/queueing/closed_formulas.hpp"
#include "tests/oracles/rounded.hpp"

using namespace saturn::tests;

namespace {

/// M/M/c as a chain of one phase.
Jumps mmc(double arrivals_per_s, std::size_t servers) {
  return [=](std::size_t n, std::size_t) {
    std::vector<Jump> jumps{{.level = n + 1, .phase = 0, .per_s = arrivals_per_s}};
    if (n > 0) jumps.push_back({.level = n - 1, .phase = 0, .per_s = static_cast<double>(std::min(n, servers))});
    return jumps;
  };
}

double chance(const LevelChain& chain, std::size_t level, std::size_t phase) {
  return chain.mean([&](std::size_t n, std::size_t i) { return n == level && i == phase ? 1.0 : 0.0; });
}

}  // namespace

TEST_CASE("the chain of M/M/c has Erlang's chance to wait, also close to saturation") {
  struct Row {
    double arrivals_per_s;
    std::size_t servers;
  };
  for (const Row& row : {Row{0.5, 1}, {0.99, 1}, {3.9, 4}, {45.0, 50}, {900.0, 1000}}) {
    CAPTURE(row.servers);
    const LevelChain chain(1, mmc(row.arrivals_per_s, row.servers));
    const double waits = chain.mean([&](std::size_t n, std::size_t) { return n >= row.servers ? 1.0 : 0.0; });
    const double erlang =
        saturn::erlang_c({.arrivals_per_s = row.arrivals_per_s, .service_s = 1.0, .servers = row.servers});
    CHECK(agree(waits, erlang));
  }
}

TEST_CASE("what leaves a state is what enters it, whatever the rates") {
  CHECK(rc::check([] {
    const std::size_t phases = *rc::gen::inRange<std::size_t>(1, 5);
    const std::size_t top = *rc::gen::inRange<std::size_t>(1, 6);
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Jump>> jumps;
    for (std::size_t n = 0; n <= top; ++n) {
      for (std::size_t i = 0; i < phases; ++i) {
        for (std::size_t to = n == 0 ? 0 : n - 1; to <= std::min(top, n + 1); ++to) {
          for (std::size_t j = 0; j < phases; ++j)
            jumps[{n, i}].push_back(
                {.level = to, .phase = j, .per_s = std::pow(10.0, *rc::gen::inRange(-30, 31) / 10.0)});
        }
      }
    }
    const LevelChain chain(
        phases,
        [&](std::size_t n, std::size_t i) {
          return jumps.at({n, i});
        },
        top);
    std::map<std::pair<std::size_t, std::size_t>, double> net;
    double largest = 0.0;
    for (const auto& [from, ways] : jumps) {
      for (const Jump& way : ways) {
        const double flow = way.per_s * chance(chain, from.first, from.second);
        net[from] -= flow;
        net[{way.level, way.phase}] += flow;
        largest = std::max(largest, flow);
      }
    }
    for (const auto& [state, flow] : net) RC_ASSERT(std::abs(flow) <= 1e-10 * largest);
  }));
}

TEST_CASE("a queue that grows for ever has no steady state, and a chain that jumps too far is refused") {
  CHECK_THROWS_AS(LevelChain(1, mmc(1.0, 1)), std::runtime_error);
  CHECK_THROWS_AS(
      LevelChain(1, [](std::size_t n, std::size_t) { return std::vector<Jump>{{.level = n + 2, .per_s = 1.0}}; }),
      std::logic_error);
}
