#include "reports/figures/label_places.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr double wide_letter = 6.6;
constexpr double line_height = 14.0;
constexpr double padding = 3.0;
constexpr double nearest = 10.0;
constexpr double farthest = 90.0;
constexpr double ring_distance = 8.0;
constexpr int directions = 16;

bool inside(FigurePlace place, const FigureBox& box) {
  return place.x > box.left && place.x < box.right && place.y > box.bottom && place.y < box.top;
}

}  // namespace

bool overlap(const FigureBox& a, const FigureBox& b) {
  return a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top;
}

FigureBox word_box(const std::string& word, FigurePlace middle) {
  const double half_width = wide_letter * static_cast<double>(width_of(word)) / 2 + padding;
  const double half_height = line_height / 2 + 1;
  return {.left = middle.x - half_width,
          .bottom = middle.y - half_height,
          .right = middle.x + half_width,
          .top = middle.y + half_height};
}

FigurePlace nearest_on(const FigureBox& box, FigurePlace place) {
  return {.x = std::clamp(place.x, box.left, box.right), .y = std::clamp(place.y, box.bottom, box.top)};
}

bool LabelPlaces::free(const FigureBox& box) const {
  const bool is_inside = box.left >= 0.0 && box.right <= width_ && box.bottom >= 0.0 && box.top <= height_;
  return is_inside &&
         std::none_of(blocked_.begin(), blocked_.end(), [&](const FigureBox& other) { return overlap(box, other); });
}

std::size_t LabelPlaces::covered(const FigureBox& box) const {
  return static_cast<std::size_t>(
      std::count_if(marks_.begin(), marks_.end(), [&](FigurePlace mark) { return inside(mark, box); }));
}

std::optional<FigurePlace> LabelPlaces::put_beside(const std::string& word, FigurePlace mark) {
  const FigureBox size = word_box(word, {});
  std::optional<FigurePlace> best;
  std::size_t fewest = 0;
  for (double distance = nearest; distance <= farthest && (!best || fewest > 0); distance += ring_distance) {
    for (int i = 0; i < directions; ++i) {
      // Straight above first: there a word is looked for.
      const double angle = std::numbers::pi * (0.5 + 2.0 * i / directions);
      const FigurePlace middle{.x = mark.x + std::cos(angle) * (distance + size.right),
                               .y = mark.y + std::sin(angle) * (distance + size.top)};
      const FigureBox box = word_box(word, middle);
      if (!free(box) || inside(mark, box)) continue;
      const std::size_t count = covered(box);
      if (best && count >= fewest) continue;
      best = middle;
      fewest = count;
    }
  }
  if (best) blocked_.push_back(word_box(word, *best));
  return best;
}

std::optional<std::size_t> LabelPlaces::put_on(const std::string& word, const std::vector<FigurePlace>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const FigureBox box = word_box(word, places[i]);
    if (!free(box)) continue;
    blocked_.push_back(box);
    return i;
  }
  return std::nullopt;
}

}  // namespace saturn
