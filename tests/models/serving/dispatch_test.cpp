#include "models/serving/dispatch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace saturn {

namespace {

RandomStream random_numbers(std::uint32_t entity) {
  return {20201124, 0, entity, Purpose::dispatch};
}

/// Envoy's LEAST_REQUEST with equal weights and choice_count 2, from its documentation: two hosts are drawn with
/// replacement, the one with fewer active requests is taken, the first drawn where both have as many.
std::uint32_t envoy_choice(const std::vector<std::uint64_t>& active, RandomStream& numbers) {
  const auto hosts = static_cast<double>(active.size());
  const auto first = static_cast<std::size_t>(std::floor(hosts * numbers.uniform()));
  const auto second = static_cast<std::size_t>(std::floor(hosts * numbers.uniform()));
  return static_cast<std::uint32_t>(active[first] <= active[second] ? first : second);
}

}  // namespace

TEST_CASE("power_of_two is Envoy's rule, request by request") {
  for (const std::uint32_t nodes : {2u, 3u, 7u}) {
    Balancer balancer(Dispatch::power_of_two, nodes, random_numbers(nodes));
    RandomStream same = random_numbers(nodes);
    RandomStream answers = random_numbers(100 + nodes);
    std::vector<std::uint64_t> active(nodes);
    for (int request = 0; request < 10000; ++request) {
      const std::uint32_t expected = envoy_choice(active, same);
      ++active[expected];
      REQUIRE(balancer.choose() == expected);
      const auto done = static_cast<std::uint32_t>(answers.uniform() * nodes);
      if (active[done] == 0) continue;
      --active[done];
      balancer.answered(done);
    }
  }
}

TEST_CASE("least_in_turn takes a node with the fewest requests, on a tie the first after the last one chosen") {
  constexpr std::uint32_t nodes = 3;
  Balancer balancer(Dispatch::least_in_turn, nodes, random_numbers(3));
  for (const std::uint32_t expected : {0u, 1u, 2u, 0u, 1u}) CHECK(balancer.choose() == expected);
  // 2, 2, 1: the last has the fewest, then all have two and it is the first one's turn.
  CHECK(balancer.choose() == 2);
  balancer.answered(1);
  balancer.answered(2);
  // 2, 1, 1, and node 0 is next: of the others, node 1 comes first.
  CHECK(balancer.choose() == 1);
  CHECK(balancer.choose() == 2);
}

TEST_CASE("least_outstanding takes a node with the fewest requests, and on a tie each of those as often") {
  constexpr std::uint32_t nodes = 5;
  Balancer balancer(Dispatch::least_outstanding, nodes, random_numbers(1));
  RandomStream answers = random_numbers(2);
  std::vector<std::uint64_t> active(nodes);
  // By how many tied, and which of them in their order was taken.
  std::vector<std::vector<double>> taken(nodes + 1, std::vector<double>(nodes));
  for (int request = 0; request < 40000; ++request) {
    const std::uint64_t fewest = *std::min_element(active.begin(), active.end());
    std::vector<std::uint32_t> tied;
    for (std::uint32_t node = 0; node < nodes; ++node)
      if (active[node] == fewest) tied.push_back(node);
    const std::uint32_t chosen = balancer.choose();
    const auto place = std::find(tied.begin(), tied.end(), chosen);
    REQUIRE(place != tied.end());
    taken[tied.size()][static_cast<std::size_t>(place - tied.begin())] += 1.0;
    ++active[chosen];
    // Answers come in spells, without which the nodes fill up level by level.
    for (int answered = (request / 50) % 3; answered > 0; --answered) {
      const auto done = static_cast<std::uint32_t>(answers.uniform() * nodes);
      if (active[done] == 0) continue;
      --active[done];
      balancer.answered(done);
    }
  }
  for (std::size_t ties = 2; ties <= nodes; ++ties) {
    double all = 0.0;
    for (const double count : taken[ties]) all += count;
    CAPTURE(ties);
    REQUIRE(all > 200.0);
    const double share = 1.0 / static_cast<double>(ties);
    for (std::size_t place = 0; place < ties; ++place)
      CHECK(std::abs(taken[ties][place] / all - share) < 4.0 * std::sqrt(share * (1.0 - share) / all));
  }
}

}  // namespace saturn
