#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/figures/axes/figure_scale.hpp"

namespace saturn {

// Lines of equal value in a grid of numbers.

/// A number over two coordinates.
struct ContourField {
  std::vector<double> x{};       ///< (nx) ascending; logarithms where the axis is logarithmic
  std::vector<double> y{};       ///< (ny)
  std::vector<double> values{};  ///< (ny, nx); NaN: missing, and no line comes near

  double at(std::size_t iy, std::size_t ix) const { return values[iy * x.size() + ix]; }
};

/// A point of a line.
struct ContourPoint {
  double x = 0.0;
  double y = 0.0;
};

/// A line of one value: a ring, or from one place to another on the border of what is known.
struct Contour {
  std::vector<ContourPoint> points{};  ///< (>= 2), the first is the last of a ring
  bool ring = false;
};

/// The lines of one value, by marching squares: they cross the sides of the grid's squares where values interpolated
/// along the side have the level; a saddle is decided by the mean of its corners.
/// Source  marching squares: the two-dimensional case of W. E. Lorensen and H. E. Cline, SIGGRAPH 1987
std::vector<Contour> contours_of(const ContourField& field, double level);

/// A line without the points that lie within a distance of the line through those that stay; the ends stay.
/// @param tolerance_x  distance in x that counts as much as tolerance_y in y, > 0
Contour thinned(const Contour& contour, double tolerance_x, double tolerance_y);

/// Three to seven round numbers strictly between two values; none where they are equal or not finite.
/// @param logarithmic  spread evenly over the logarithm where enough round numbers lie there; low is then > 0
std::vector<double> round_levels(double low, double high, bool logarithmic);

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
