#include "sim/engine/calendar.hpp"

namespace saturn {

std::size_t Calendar::add(Source& source) {
  sources_.push_back(&source);
  const std::size_t number = sources_.size() - 1;
  if (number >= leaves_) {
    const std::vector<Entry> old = std::move(tree_);
    const std::size_t old_leaves = leaves_;
    leaves_ *= 2;
    tree_.assign(2 * leaves_, {});
    for (std::size_t i = 0; i < old_leaves; ++i) reschedule(i, std::bit_cast<double>(old[old_leaves + i].date));
  }
  reschedule(number, never);
  return number;
}

}  // namespace saturn
