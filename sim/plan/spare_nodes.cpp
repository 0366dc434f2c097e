#include <stdexcept>

#include "models/redundancy.hpp"
#include "sim/plan/purchase_terms.hpp"

namespace saturn {

namespace {

// Whoever needs more has nodes that are hardly ever up.
constexpr std::uint64_t most_spare_nodes = 1'000'000'000;

}  // namespace

std::uint64_t spare_nodes_for(std::uint64_t working, double node_availability, double asked) {
  if (!(asked > 0.0) || !(asked < 1.0))
    throw std::invalid_argument("spare_nodes_for: an availability is above 0 and below 1");
  const auto enough = [&](std::uint64_t spare) {
    return enough_nodes_up(working, working + spare, node_availability) >= asked;
  };
  if (enough(0)) return 0;
  // Every further node makes it more likely.
  std::uint64_t too_few = 0;
  std::uint64_t many = 1;
  while (!enough(many)) {
    too_few = many;
    many *= 2;
    if (many > most_spare_nodes)
      throw std::domain_error("no number of spare nodes that anybody has makes so unavailable nodes available enough");
  }
  while (many - too_few > 1) {
    const std::uint64_t middle = too_few + (many - too_few) / 2;
    (enough(middle) ? many : too_few) = middle;
  }
  return many;
}

}  // namespace saturn
