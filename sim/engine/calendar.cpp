#include "sim/engine/calendar.hpp"

namespace saturn {

Calendar::Calendar() {
  make_room();
}

void Calendar::make_room() {
  dates_.resize(leaves_ * block, bits(never));
  winners_.resize(2 * leaves_);
  for (std::size_t i = 0; i < leaves_; ++i) winners_[leaves_ + i] = static_cast<std::uint32_t>(first_of(i));
  for (std::size_t node = leaves_ - 1; node > 0; --node)
    winners_[node] = static_cast<std::uint32_t>(earlier(winners_[2 * node], winners_[2 * node + 1]));
}

std::size_t Calendar::add(Source& source) {
  sources_.push_back(&source);
  if (sources_.size() > dates_.size()) {
    leaves_ *= 2;
    make_room();
  }
  return sources_.size() - 1;
}

}  // namespace saturn
