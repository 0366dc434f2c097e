#include "sim/engine/meters.hpp"

namespace saturn {

std::map<std::uint32_t, std::uint64_t> BatchSizes::since(const BatchSizes& earlier) const {
  std::map<std::uint32_t, std::uint64_t> counts;
  for (std::uint32_t items = 0; items < counts_.size(); ++items) {
    const std::uint64_t before = items < earlier.counts_.size() ? earlier.counts_[items] : 0;
    if (counts_[items] > before) counts[items] = counts_[items] - before;
  }
  for (const auto& [items, count] : others_) {
    const auto found = earlier.others_.find(items);
    const std::uint64_t before = found == earlier.others_.end() ? 0 : found->second;
    if (count > before) counts[items] = count - before;
  }
  return counts;
}

}  // namespace saturn
