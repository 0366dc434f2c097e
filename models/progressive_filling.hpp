#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "models/flow_routes.hpp"

namespace saturn {

/// Max-min fair rates from scratch: the rates of all flows rise together; a class stops at its cap, or where a link is
/// full; the others rise on.
/// Source  Bertsekas & Gallager, Data Networks, section 6.5.2
class ProgressiveFilling {
 public:
  /// The bottleneck of a class that no link holds back.
  static constexpr std::size_t at_cap = std::numeric_limits<std::size_t>::max();

  /// Solves one part of the routes. Cost: O(links crossed by its classes × log links); allocates nothing when repeated.
  void solve(const FlowRoutes& routes, std::size_t part);

  /// The link that holds the class back, or at_cap, which is also the answer for a class without flows.
  std::size_t bottleneck(std::size_t flow_class) const { return bottlenecks_[flow_class]; }
  /// Whether the link holds a class with flows back.
  bool full(std::size_t link) const { return fills_[link].full; }
  /// Rate of the classes that a full link holds back [byte/s].
  double level(std::size_t link) const { return fills_[link].level; }

 private:
  struct Fill {
    double left = 0.0;    // capacity not yet given away
    double weight = 0.0;  // flows whose rate is still open
    double wanted = 0.0;  // sum over the flows of their caps
    double level = 0.0;
    bool full = false;
  };
  struct Share {
    double rate;
    std::size_t link;
    bool operator<(const Share& other) const { return rate > other.rate; }  // the least on top of the heap
  };

  void begin(const FlowRoutes& routes, const FlowRoutes::Part& part);
  void settle(const FlowRoutes& routes, std::size_t flow_class, double rate);

  std::vector<Fill> fills_;
  std::vector<std::size_t> bottlenecks_;
  std::vector<char> settled_;
  std::vector<Share> shares_;
};

}  // namespace saturn
