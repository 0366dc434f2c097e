#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
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

/// A balancer in front of `nodes` equal nodes: a pure state machine. It chooses among those in service, which all are
/// at first.
class Balancer {
 public:
  /// No node.
  static constexpr std::uint32_t nobody = static_cast<std::uint32_t>(-1);

  /// @param nodes   > 0
  /// @param stream  random numbers for the policies that draw
  Balancer(Dispatch policy, std::uint32_t nodes, RandomStream stream)
      : policy_(policy), outstanding_(nodes, 0), in_service_(nodes), stream_(stream) {
    std::iota(in_service_.begin(), in_service_.end(), 0U);
  }

  /// The node that the next request goes to; counts it as outstanding there. Only while one is in service. Cost: O(1),
  /// of the fewest O(nodes).
  std::uint32_t choose() { return choose_among(in_service_); }
  /// The same where maybe none is in service, and another one than `except` wherever there is another.
  /// @returns nobody  when none is
  std::uint32_t choose_other(std::uint32_t except);
  /// The node is chosen from now on, or no longer. Cost: O(nodes)
  void set_in_service(std::uint32_t node, bool in_service);
  /// Cost: O(log nodes)
  bool is_in_service(std::uint32_t node) const {
    return std::binary_search(in_service_.begin(), in_service_.end(), node);
  }
  bool any_in_service() const { return !in_service_.empty(); }
  /// A request that choose() sent to `node` has been answered.
  void answered(std::uint32_t node) { --outstanding_[node]; }

  std::span<const std::uint64_t> outstanding() const { return outstanding_; }

 private:
  std::uint32_t choose_among(const std::vector<std::uint32_t>& nodes);
  std::size_t draw(std::size_t nodes) {
    return static_cast<std::size_t>(stream_.uniform() * static_cast<double>(nodes));
  }

  Dispatch policy_;
  std::vector<std::uint64_t> outstanding_;
  std::vector<std::uint32_t> in_service_;  // ascending
  RandomStream stream_;
  std::uint32_t next_ = 0;
};

}  // namespace saturn
