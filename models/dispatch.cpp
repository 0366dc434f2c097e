#include "models/dispatch.hpp"

#include <algorithm>

namespace saturn {

std::uint32_t Balancer::draw() {
  const auto nodes = static_cast<double>(outstanding_.size());
  return static_cast<std::uint32_t>(stream_.uniform() * nodes);
}

std::uint32_t Balancer::choose() {
  const auto nodes = static_cast<std::uint32_t>(outstanding_.size());
  std::uint32_t node = 0;
  if (nodes > 1) {
    switch (policy_) {
      case Dispatch::round_robin:
        node = next_;
        next_ = next_ + 1 == nodes ? 0 : next_ + 1;
        break;
      case Dispatch::random:
        node = draw();
        break;
      case Dispatch::least_outstanding:
        node = static_cast<std::uint32_t>(std::min_element(outstanding_.begin(), outstanding_.end()) -
                                          outstanding_.begin());
        break;
      case Dispatch::power_of_two: {
        const std::uint32_t one = draw();
        const std::uint32_t two = draw();
        node = outstanding_[two] < outstanding_[one] ? two : one;
        break;
      }
    }
  }
  ++outstanding_[node];
  return node;
}

}  // namespace saturn
