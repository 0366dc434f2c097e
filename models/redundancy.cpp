#include "models/redundancy.hpp"

#include <stdexcept>

#include "models/quantiles.hpp"

namespace saturn {

double enough_nodes_up(std::uint64_t working, std::uint64_t nodes, double node_availability) {
  if (working == 0 || working > nodes) throw std::invalid_argument("enough_nodes_up: 1 to all nodes have to work");
  if (!(node_availability > 0.0) || !(node_availability <= 1.0))
    throw std::invalid_argument("enough_nodes_up: a node's availability is above 0, at most 1");
  return binomial_above(static_cast<double>(nodes), node_availability, static_cast<double>(working - 1));
}

}  // namespace saturn
