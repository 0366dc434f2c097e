#pragma once

#include <span>
#include <vector>

namespace saturn {

/// The non-descending sequence nearest to the values by weighted least squares: neighbours that descend share their
/// weighted mean.
/// @param weights  (n) > 0
/// @throws std::invalid_argument  not as many weights as values
/// Source  pool-adjacent-violators; R. E. Barlow et al., Statistical Inference under Order Restrictions (1972)
std::vector<double> non_descending(std::span<const double> values, std::span<const double> weights);

}  // namespace saturn
