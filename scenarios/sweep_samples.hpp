#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

/// Samples of a grid: so many of its points, each given by the step of every axis.
namespace saturn {

using GridPoint = std::vector<std::uint32_t>;

/// Cuts each axis into as many equal strata as there are points and uses each stratum once, in an order of its own (a
/// Latin hypercube). Points that come out equal exchange a value with others, which leaves the strata as they were;
/// those that still are equal then are given once, so that there may be fewer.
/// @param sizes   (axes) number of steps of each axis, >= 1
/// @param points  at least 1, at most the number of combinations
/// @returns different points, ascending
/// Source: McKay, Beckman, Conover, Technometrics 21 (1979) 239
std::vector<GridPoint> latin_hypercube(const std::vector<std::uint32_t>& sizes, std::uint64_t points,
                                       std::uint64_t seed);

/// Different points, each drawn on its own; those that are not wanted, and those that come again, are drawn anew. A
/// larger sample with the same seed holds the smaller one.
/// @param combinations  product of the sizes; absent: more than can be counted
/// @param wanted        which points may be in the sample
/// @returns ascending; fewer than asked where no more were found
std::vector<GridPoint> random_points(const std::vector<std::uint32_t>& sizes, std::uint64_t points, std::uint64_t seed,
                                     std::optional<std::uint64_t> combinations,
                                     const std::function<bool(const GridPoint&)>& wanted);

}  // namespace saturn
