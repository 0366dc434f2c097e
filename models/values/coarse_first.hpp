#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace saturn {

/// An order in which a coarse picture of all axes comes first: corners, then midpoints between what is there, and so
/// on, finer and finer. Equal points keep their order.
/// @param sizes   (axes) number of values of each axis, >= 1
/// @param points  number of points
/// @param steps   (axes) which value of each axis a point has
/// @returns (points) the points' numbers in the order in which to compute them
std::vector<std::uint64_t> coarse_first(std::span<const std::uint32_t> sizes, std::uint64_t points,
                                        const std::function<std::vector<std::uint32_t>(std::uint64_t)>& steps);

}  // namespace saturn
