#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/laws/random_stream.hpp"

namespace saturn {

/// How a balancer spreads requests over nodes.
enum class Dispatch {
  round_robin,        ///< one node after the other
  random,             ///< any node, each as likely
  least_outstanding,  ///< a node with the fewest unanswered requests; on a tie any of them, each as likely
  power_of_two,       ///< the better of two nodes drawn with replacement, the first on a tie: Envoy's rule
  least_in_turn,      ///< a node with the fewest unanswered requests; on a tie the first after the last one chosen
};

/// A balancer in front of `nodes` equal nodes: a pure state machine.
class Balancer {
 public:
  /// @param nodes   > 0
  /// @param stream  random numbers for the policies that draw
  Balancer(Dispatch policy, std::uint32_t nodes, RandomStream stream)
      : policy_(policy), outstanding_(nodes, 0), stream_(stream) {}

  /// The node that the next request goes to; counts it as outstanding there. Cost: O(1), of the fewest O(nodes).
  std::uint32_t choose();
  /// A request that choose() sent to `node` has been answered.
  void answered(std::uint32_t node) { --outstanding_[node]; }

  std::span<const std::uint64_t> outstanding() const { return outstanding_; }

 private:
  std::uint32_t draw();

  Dispatch policy_;
  std::vector<std::uint64_t> outstanding_;
  RandomStream stream_;
  std::uint32_t next_ = 0;
};

}  // namespace saturn
