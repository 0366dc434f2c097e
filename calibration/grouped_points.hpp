#pragma once

#include <span>
#include <vector>

#include "calibration/fit/fit.hpp"

namespace saturn {

/// More points than these are taken together before they are fitted: laws of many sizes are searched in time that grows
/// faster than their number.
inline constexpr std::size_t most_fitted_points = 2000;

/// Points of the same size as their mean, with the standard error that their scatter tells; where that leaves more than
/// 500 sizes, neighbours together, as many in each. Points that stand alone, or do not scatter, keep their own error or
/// none.
/// @returns the points as they are when there are at most most_fitted_points of them
std::vector<FitPoint> grouped_points(std::span<const FitPoint> points);

}  // namespace saturn
