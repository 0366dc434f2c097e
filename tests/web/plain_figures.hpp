#pragma once

#include <vector>

#include "reports/figures/figure.hpp"

namespace saturn {

/// Figures for tests of how figures are drawn: a curve with its band and a legend, a coloured map, and one with words
/// that try to break out of whatever holds them.
std::vector<Figure> plain_figures();

/// One that could not be drawn: it has rows and no specification.
Figure undrawn_figure();

}  // namespace saturn
