#pragma once

#include <vector>

#include "reports/figures/figure.hpp"

namespace saturn {

/// Figures of maps, costs, candidates, inputs, cases, fits and losses: realistic ones, and ones of ugly input. Their
/// names differ.
std::vector<Figure> map_samples();

/// Those of them that stand on measurements and open loops.
std::vector<Figure> measured_map_samples();

}  // namespace saturn
