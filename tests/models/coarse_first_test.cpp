#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "models/values/search_order.hpp"

using namespace saturn;

namespace {

/// The steps of a point of a whole grid, the last axis running fastest.
std::vector<std::uint32_t> steps_in_grid(const std::vector<std::uint32_t>& sizes, std::uint64_t point) {
  std::vector<std::uint32_t> steps(sizes.size(), 0);
  for (std::size_t axis = sizes.size(); axis-- > 0; point /= sizes[axis])
    steps[axis] = static_cast<std::uint32_t>(point % sizes[axis]);
  return steps;
}

std::vector<std::uint64_t> order_of_grid(const std::vector<std::uint32_t>& sizes) {
  const std::uint64_t points = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{1}, std::multiplies<>());
  return coarse_first(sizes, points, [&](std::uint64_t point) { return steps_in_grid(sizes, point); });
}

/// Largest distance between neighbours among the values of an axis that the first points have.
std::uint32_t widest_gap(const std::vector<std::uint64_t>& order, std::size_t first_points) {
  std::vector<std::uint64_t> seen(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first_points));
  std::sort(seen.begin(), seen.end());
  std::uint64_t widest = 0;
  for (std::size_t i = 1; i < seen.size(); ++i) widest = std::max(widest, seen[i] - seen[i - 1]);
  return static_cast<std::uint32_t>(widest);
}

}  // namespace

TEST_CASE("the ends of an axis come first, then what lies in the middle of what is there") {
  CHECK(order_of_grid({1}) == std::vector<std::uint64_t>{0});
  CHECK(order_of_grid({2}) == std::vector<std::uint64_t>{0, 1});
  CHECK(order_of_grid({5}) == std::vector<std::uint64_t>{0, 4, 2, 1, 3});
  CHECK(order_of_grid({9}) == std::vector<std::uint64_t>{0, 8, 4, 2, 6, 1, 3, 5, 7});
}

TEST_CASE("a coarse grid over all axes is whole before a finer one begins") {
  // Corners, then the 3x3 grid (edges before its centre), then the rest.
  const std::vector<std::uint64_t> order = order_of_grid({3, 5});
  CHECK(std::vector<std::uint64_t>(order.begin(), order.begin() + 9) ==
        std::vector<std::uint64_t>{0, 4, 10, 14, 2, 5, 9, 12, 7});
  std::vector<std::uint64_t> first(order_of_grid({9, 9, 9}));
  first.resize(27);
  for (const std::uint64_t point : first)
    for (const std::uint32_t step : steps_in_grid({9, 9, 9}, point)) CHECK(step % 4 == 0);
}

TEST_CASE("every point comes once, and after each halving no gap is wider than half the former one, rounded up") {
  CHECK(rc::check("a permutation whose gaps halve", [] {
    const auto size = *rc::gen::inRange<std::uint32_t>(2, 2000);
    const std::vector<std::uint64_t> order = order_of_grid({size});
    std::vector<std::uint64_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::uint64_t i = 0; i < size; ++i) RC_ASSERT(sorted[i] == i);
    std::uint32_t gap = size - 1;
    for (std::size_t known = 2; gap > 1; known = std::min<std::size_t>(2 * known - 1, size)) {
      RC_ASSERT(widest_gap(order, known) <= gap);
      gap = gap / 2 + gap % 2;
    }
  }));
}

TEST_CASE("of points that are equally coarse the order stays, also where only some of a grid are points") {
  const std::vector<std::vector<std::uint32_t>> steps{{2}, {0}, {4}, {0}, {4}};
  const std::vector<std::uint32_t> sizes{5};
  CHECK(coarse_first(sizes, steps.size(), [&](std::uint64_t point) { return steps[point]; }) ==
        std::vector<std::uint64_t>{1, 2, 3, 4, 0});
  CHECK(coarse_first(sizes, 0, [&](std::uint64_t point) { return steps[point]; }).empty());
}
