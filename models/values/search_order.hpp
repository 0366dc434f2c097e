#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

// Where to look next: among the points of a picture, and for the least whole number that is accepted.

namespace saturn {

/// An order in which a coarse picture of all axes comes first: corners, then midpoints between what is there, and so
/// on, finer and finer. Equal points keep their order.
/// @param sizes   (axes) number of values of each axis, >= 1
/// @param points  number of points
/// @param steps   (axes) which value of each axis a point has
/// @returns (points) the points' numbers in the order in which to compute them
std::vector<std::uint64_t> coarse_first(std::span<const std::uint32_t> sizes, std::uint64_t points,
                                        const std::function<std::vector<std::uint32_t>(std::uint64_t)>& steps);

/// The whole numbers among which the least that is accepted is looked for.
struct WholeRange {
  std::uint64_t first = 1;  ///< nothing below it is accepted
  /// Where a number as large as this is not accepted, none is.
  std::uint64_t enough = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();  ///< none above it is tried
};

/// The least number that is accepted, where every number above an accepted one is: tries the first, in steps that
/// double until one is accepted, and then halves what lies between that and the largest that was not. Each is tried
/// once.
/// @returns nothing where none is accepted
std::optional<std::uint64_t> least_accepted(const WholeRange& range, const std::function<bool(std::uint64_t)>& accepts);

}  // namespace saturn
