#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Labels in a figure that do not cover each other.
namespace saturn {

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
