#pragma once

#include <cstdint>

namespace saturn {

/// Probability that at least `working` of `nodes` independent nodes are up [1].
/// @param working            1..nodes
/// @param node_availability  of one node alone, in (0, 1]
/// @throws std::invalid_argument  values outside these
/// Source  binomial distribution: a k-out-of-n system
double enough_nodes_up(std::uint64_t working, std::uint64_t nodes, double node_availability);

}  // namespace saturn
