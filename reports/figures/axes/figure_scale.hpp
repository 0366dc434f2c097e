#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/figures/spec_template.hpp"

namespace saturn {

// Where a value stands in a figure, computed here so that labels can be placed before anything is drawn.

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

/// The format of the axis' numbers where plain decimal ones would be too long to read.
std::optional<std::string> extreme_format(const FigureScale& scale);

/// True where all values are whole, so that ticks between whole numbers would stand for nothing.
bool all_whole(const std::vector<double>& values);

/// Writes a scale into a specification: type, domain, and on a logarithmic one the axis's ticks.
/// @param channel  pointer of the channel, "/encoding/x"; its "scale" and "axis" exist
void put_scale(std::vector<SpecChange>& changes, const std::string& channel, const FigureScale& scale);

// Labels in a figure that do not cover each other.

/// A place in a figure [pixels] from its lower left corner.
struct FigurePlace {
  double x = 0.0;
  double y = 0.0;
};

/// A rectangle in a figure [pixels].
struct FigureBox {
  double left = 0.0;
  double bottom = 0.0;
  double right = 0.0;
  double top = 0.0;
};

/// True when two boxes share an inner point.
bool overlap(const FigureBox& a, const FigureBox& b);

/// The box of a word of 11 px round its middle. Widths are estimates of a common sans-serif font, on the wide side.
FigureBox word_box(const std::string& word, FigurePlace middle);

/// The place of a box, border included, that is nearest to another place.
FigurePlace nearest_on(const FigureBox& box, FigurePlace place);

/// Puts words beside places, one after the other; what is put down is in the way of the next.
class LabelPlaces {
 public:
  LabelPlaces(double width, double height) : width_(width), height_(height) {}

  /// Something that no word should cover.
  void block(const FigureBox& box) { blocked_.push_back(box); }
  /// A mark that words had better not cover.
  void avoid(FigurePlace mark) { marks_.push_back(mark); }

  /// The middle of a word beside a mark: the free place near it that covers fewest marks.
  /// @returns nothing where no place near it is free
  std::optional<FigurePlace> put_beside(const std::string& word, FigurePlace mark);

  /// The middle of a word on one of several places: the first that is free and inside.
  std::optional<std::size_t> put_on(const std::string& word, const std::vector<FigurePlace>& places);

 private:
  bool free(const FigureBox& box) const;
  std::size_t covered(const FigureBox& box) const;

  double width_;
  double height_;
  std::vector<FigureBox> blocked_{};
  std::vector<FigurePlace> marks_{};
};

}  // namespace saturn
