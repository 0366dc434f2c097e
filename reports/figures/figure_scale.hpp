#pragma once

#include <string>
#include <vector>

#include "reports/figures/spec_template.hpp"

/// Where a value stands in a figure, computed here so that labels can be placed before anything is drawn.
namespace saturn {

/// A linear or logarithmic axis.
struct FigureScale {
  bool logarithmic = false;  ///< low and high are then > 0
  double low = 0.0;          ///< of the domain
  double high = 1.0;         ///< > low
  double pixels = 1.0;       ///< length of the axis

  /// A value's distance from the low end [pixels].
  double place(double value) const;
  /// The value at such a distance.
  double value_at(double place) const;
};

/// What a scale should show beside the values.
struct ScaleWish {
  double pixels = 1.0;
  bool from_zero = false;  ///< a linear scale of values >= 0 begins at 0
  double margin = 0.05;    ///< share of the axis that stays free at an end
  bool never_log = false;
};

/// A scale that shows values; those that are not finite do not count. Logarithmic where better_logarithmic() says so.
/// Of constant values, or none, it shows something round them.
FigureScale scale_of(const std::vector<double>& values, const ScaleWish& wish);

/// Round numbers 1, 2, 5 · 10^k inside a logarithmic scale, at most 12: the densest of these series that is so short.
std::vector<double> logarithmic_ticks(const FigureScale& scale);

/// True when plain decimal numbers on the axis would be too long to read.
bool is_extreme(const FigureScale& scale);

/// True where all values are whole, so that ticks between whole numbers would stand for nothing.
bool all_whole(const std::vector<double>& values);

/// Writes a scale into a specification: type, domain, and on a logarithmic one the axis's ticks.
/// @param channel  pointer of the channel, "/encoding/x"; its "scale" and "axis" exist
void put_scale(std::vector<SpecChange>& changes, const std::string& channel, const FigureScale& scale);

}  // namespace saturn
