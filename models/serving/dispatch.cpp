#include "models/serving/dispatch.hpp"

#include <algorithm>

namespace saturn {

namespace {

/// The node with the fewest unanswered requests; of several, each as likely.
std::uint32_t with_fewest(const std::vector<std::uint64_t>& outstanding, RandomStream& stream) {
  const auto first = std::min_element(outstanding.begin(), outstanding.end());
  const auto ties = std::count(first, outstanding.end(), *first);
  auto node = first;
  if (ties > 1) {
    auto left = static_cast<std::uint64_t>(stream.uniform() * static_cast<double>(ties));
    for (; left > 0; --left) node = std::find(node + 1, outstanding.end(), *first);
  }
  return static_cast<std::uint32_t>(node - outstanding.begin());
}

}  // namespace

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
        node = with_fewest(outstanding_, stream_);
        break;
      case Dispatch::power_of_two: {
        const std::uint32_t one = draw();
        const std::uint32_t two = draw();
        node = outstanding_[two] < outstanding_[one] ? two : one;
        break;
      }
      case Dispatch::least_in_turn:
        node = next_;
        for (std::uint32_t i = 1; i < nodes; ++i)
          if (const std::uint32_t other = (next_ + i) % nodes; outstanding_[other] < outstanding_[node]) node = other;
        next_ = node + 1 == nodes ? 0 : node + 1;
        break;
    }
  }
  ++outstanding_[node];
  return node;
}

}  // namespace saturn
