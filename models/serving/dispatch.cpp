#include "models/serving/dispatch.hpp"

#include <algorithm>

namespace saturn {

namespace {

/// Of the given nodes that with the fewest unanswered requests; of several, each as likely.
std::uint32_t with_fewest(const std::vector<std::uint32_t>& nodes, const std::vector<std::uint64_t>& outstanding,
                          RandomStream& stream) {
  std::uint32_t first = nodes.front();
  std::size_t ties = 0;
  for (const std::uint32_t node : nodes) {
    if (outstanding[node] < outstanding[first]) {
      first = node;
      ties = 0;
    }
    if (outstanding[node] == outstanding[first]) ++ties;
  }
  if (ties == 1) return first;
  auto left = static_cast<std::uint64_t>(stream.uniform() * static_cast<double>(ties));
  return *std::find_if(nodes.begin(), nodes.end(),
                       [&](std::uint32_t node) { return outstanding[node] == outstanding[first] && left-- == 0; });
}

}  // namespace

std::uint32_t Balancer::choose_among(const std::vector<std::uint32_t>& nodes) {
  std::uint32_t node = nodes.front();
  if (nodes.size() > 1) {
    // In turn: the first that is not before the one whose turn it is.
    const auto in_turn = [&] {
      const auto found = std::lower_bound(nodes.begin(), nodes.end(), next_);
      return static_cast<std::size_t>((found == nodes.end() ? nodes.begin() : found) - nodes.begin());
    };
    switch (policy_) {
      case Dispatch::round_robin:
        node = nodes.size() == outstanding_.size() ? next_ : nodes[in_turn()];
        next_ = node + 1 == outstanding_.size() ? 0 : node + 1;
        break;
      case Dispatch::random:
        node = nodes[draw(nodes.size())];
        break;
      case Dispatch::least_outstanding:
        node = with_fewest(nodes, outstanding_, stream_);
        break;
      case Dispatch::power_of_two: {
        const std::uint32_t one = nodes[draw(nodes.size())];
        const std::uint32_t two = nodes[draw(nodes.size())];
        node = outstanding_[two] < outstanding_[one] ? two : one;
        break;
      }
      case Dispatch::least_in_turn: {
        const std::size_t first = in_turn();
        node = nodes[first];
        for (std::size_t i = 1; i < nodes.size(); ++i)
          if (const std::uint32_t other = nodes[(first + i) % nodes.size()]; outstanding_[other] < outstanding_[node])
            node = other;
        next_ = node + 1 == outstanding_.size() ? 0 : node + 1;
        break;
      }
    }
  }
  ++outstanding_[node];
  return node;
}

std::uint32_t Balancer::choose_other(std::uint32_t except) {
  if (in_service_.empty()) return nobody;
  if (except == nobody || in_service_.size() == 1) return choose();
  std::vector<std::uint32_t> others = in_service_;
  std::erase(others, except);
  return choose_among(others);
}

void Balancer::set_in_service(std::uint32_t node, bool in_service) {
  const auto place = std::lower_bound(in_service_.begin(), in_service_.end(), node);
  const bool is = place != in_service_.end() && *place == node;
  if (is && !in_service) in_service_.erase(place);
  if (!is && in_service) in_service_.insert(place, node);
}

}  // namespace saturn
