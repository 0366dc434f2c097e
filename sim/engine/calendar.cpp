#include "sim/engine/calendar.hpp"

namespace saturn {

std::size_t Calendar::add(Source& source) {
  sources_.push_back(&source);
  const std::size_t number = sources_.size() - 1;
  if (number < leaves_) return number;
  leaves_ *= 2;
  dates_.resize(leaves_, bits(never));
  winners_.resize(2 * leaves_);
  for (std::size_t i = 0; i < leaves_; ++i) winners_[leaves_ + i] = static_cast<std::uint32_t>(i);
  for (std::size_t node = leaves_ - 1; node > 0; --node) {
    const std::uint32_t left = winners_[2 * node];
    const std::uint32_t right = winners_[2 * node + 1];
    winners_[node] = dates_[right] < dates_[left] ? right : left;
  }
  return number;
}

}  // namespace saturn
