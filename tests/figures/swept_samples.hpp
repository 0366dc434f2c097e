#pragma once

#include <vector>

#include "reports/figures/figure.hpp"

namespace saturn {

/// Figures of sweeps: lines over numbers and over words, samples, and words over two axes.
std::vector<Figure> sweep_samples();

}  // namespace saturn
