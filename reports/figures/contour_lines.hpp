#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/figures/contours.hpp"
#include "reports/figures/figure_scale.hpp"
#include "reports/figures/label_places.hpp"

namespace saturn {

/// A line of equal value over the axes of a figure.
struct ContourLine {
  double level = 0.0;
  std::vector<ContourPoint> points{};
};

/// Where a line's level is written.
struct ContourLabel {
  double level = 0.0;
  std::string text{};
  ContourPoint at{};
};

/// Lines and labels of a map.
struct ContourLines {
  std::vector<ContourLine> lines{};
  std::vector<ContourLabel> labels{};
};

/// Lines at round levels, thinned to what can be seen, with labels that do not cover each other; coordinates are those
/// of the axes.
/// @param field        values over the axes' own numbers; NaN: missing
/// @param logarithmic  values are > 0 and interpolated by their logarithms
/// @param keep_free    a mark that no label covers, in the axes' numbers
ContourLines contour_lines(ContourField field, const FigureScale& x, const FigureScale& y, bool logarithmic,
                           std::optional<FigurePlace> keep_free);

}  // namespace saturn
