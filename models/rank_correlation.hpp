#pragma once

#include <optional>
#include <span>

namespace saturn {

/// How strongly two series rise together, by their ranks alone.
struct RankCorrelation {
  double rho = 0.0;      ///< Spearman's, in [-1, 1]
  double p_value = 1.0;  ///< chance of a rho at least as large in size, of either sign, when the order is random
};

/// Spearman's rank correlation; equal values share their mean rank.
/// The p-value counts all orders for n <= 9, and for more values takes t = rho·sqrt((n−2)/(1−rho²)) as Student's t with
/// n − 2 degrees of freedom.
/// @param x, y  (n) each, finite
/// @returns nothing for n < 3 or when all values of a series are equal: then there is no order
/// @throws std::invalid_argument  series of different length
/// Source  M. G. Kendall, J. D. Gibbons, Rank Correlation Methods, 5th ed. (1990)
std::optional<RankCorrelation> spearman(std::span<const double> x, std::span<const double> y);

}  // namespace saturn
