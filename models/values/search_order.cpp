#include "models/values/search_order.hpp"

#include <algorithm>
#include <deque>
#include <numeric>

namespace saturn {

namespace {

/// How often an axis has to be halved until each of its values is there; both ends are there from the start.
std::vector<std::uint16_t> levels_of_axis(std::uint32_t size) {
  struct Gap {
    std::uint32_t first;
    std::uint32_t last;
    std::uint16_t level;
  };
  std::vector<std::uint16_t> levels(size, 0);
  std::deque<Gap> gaps;
  if (size > 2) gaps.push_back({0, size - 1, 1});
  for (; !gaps.empty(); gaps.pop_front()) {
    const Gap gap = gaps.front();
    const std::uint32_t middle = gap.first + (gap.last - gap.first) / 2;
    levels[middle] = gap.level;
    const auto next = static_cast<std::uint16_t>(gap.level + 1);
    if (middle - gap.first > 1) gaps.push_back({gap.first, middle, next});
    if (gap.last - middle > 1) gaps.push_back({middle, gap.last, next});
  }
  return levels;
}

}  // namespace

std::vector<std::uint64_t> coarse_first(std::span<const std::uint32_t> sizes, std::uint64_t points,
                                        const std::function<std::vector<std::uint32_t>(std::uint64_t)>& steps) {
  std::vector<std::vector<std::uint16_t>> levels;
  for (const std::uint32_t size : sizes) levels.push_back(levels_of_axis(size));
  std::vector<std::uint32_t> keys(points, 0);
  for (std::uint64_t point = 0; point < points; ++point) {
    const std::vector<std::uint32_t> at = steps(point);
    std::uint32_t finest = 0;
    std::uint32_t sum = 0;
    for (std::size_t axis = 0; axis < levels.size(); ++axis) {
      finest = std::max<std::uint32_t>(finest, levels[axis].at(at[axis]));
      sum += levels[axis][at[axis]];
    }
    // The finest axis decides, so that a whole grid is there before a finer one begins.
    keys[point] = (finest << 16U) + std::min<std::uint32_t>(sum, UINT16_MAX);
  }
  std::vector<std::uint64_t> order(points);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) { return keys[a] < keys[b]; });
  return order;
}

std::optional<std::uint64_t> least_accepted(const WholeRange& range,
                                            const std::function<bool(std::uint64_t)>& accepts) {
  std::uint64_t failed = range.first - 1;
  std::uint64_t good = range.first;
  for (std::uint64_t step = 1; !accepts(good); step *= 2) {
    if (good >= range.enough) return std::nullopt;
    failed = good;
    good = std::min(good + step, range.last);
  }
  while (good - failed > 1) {
    const std::uint64_t middle = failed + (good - failed) / 2;
    (accepts(middle) ? good : failed) = middle;
  }
  return good;
}

}  // namespace saturn
