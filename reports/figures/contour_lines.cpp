#include "reports/figures/contour_lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "models/words/numbers.hpp"

namespace saturn {

namespace {

constexpr double visible_pixels = 0.3;
constexpr double least_length = 40.0;   // shorter lines carry no label
constexpr std::size_t most_labels = 2;  // of one level
constexpr std::size_t most_candidates = 100;
constexpr double mark_radius = 9.0;
constexpr double label_distance = 5.0;  // that labels keep along a line from its middle, as candidates

std::vector<double> pixels_of(const std::vector<double>& values, const FigureScale& scale) {
  std::vector<double> places;
  for (const double value : values) places.push_back(scale.place(value));
  return places;
}

double length_of(const Contour& contour) {
  double length = 0.0;
  for (std::size_t i = 1; i < contour.points.size(); ++i)
    length += std::hypot(contour.points[i].x - contour.points[i - 1].x, contour.points[i].y - contour.points[i - 1].y);
  return length;
}

// Places on a line at even distances.
std::vector<FigurePlace> places_along(const Contour& contour) {
  std::vector<FigurePlace> along;
  for (std::size_t i = 1; i < contour.points.size(); ++i) {
    const ContourPoint& a = contour.points[i - 1];
    const ContourPoint& b = contour.points[i];
    const auto parts = static_cast<int>(std::ceil(std::hypot(b.x - a.x, b.y - a.y) / label_distance));
    for (int part = 0; part < parts; ++part) {
      const double share = (part + 0.5) / parts;
      along.push_back({.x = a.x + share * (b.x - a.x), .y = a.y + share * (b.y - a.y)});
    }
  }
  return along;
}

// The middle one first and then outwards, at most so many.
std::vector<FigurePlace> outwards(const std::vector<FigurePlace>& along) {
  std::vector<FigurePlace> ordered;
  const std::size_t middle = along.size() / 2;
  const std::size_t step = 1 + along.size() / most_candidates;
  for (std::size_t distance = 0; distance <= along.size(); distance += step) {
    if (middle + distance < along.size()) ordered.push_back(along[middle + distance]);
    if (distance > 0 && distance <= middle) ordered.push_back(along[middle - distance]);
  }
  return ordered;
}

/// All lines of a map in pixels.
struct Drawn {
  double level = 0.0;
  Contour contour{};
};

// A label on other lines hides them: places with no other line behind the word come first.
std::vector<FigurePlace> clear_first(std::vector<FigurePlace> places, const std::string& word,
                                     const std::vector<Drawn>& all, double level) {
  std::vector<FigurePlace> others;
  for (const Drawn& drawn : all) {
    if (drawn.level == level) continue;
    const std::vector<FigurePlace> along = places_along(drawn.contour);
    others.insert(others.end(), along.begin(), along.end());
  }
  std::stable_partition(places.begin(), places.end(), [&](const FigurePlace& place) {
    const FigureBox box = word_box(word, place);
    return std::none_of(others.begin(), others.end(), [&](const FigurePlace& other) {
      return other.x > box.left && other.x < box.right && other.y > box.bottom && other.y < box.top;
    });
  });
  return places;
}

void label_level(double level, const std::vector<Drawn>& all, LabelPlaces& places, const FigureScale& x,
                 const FigureScale& y, std::vector<ContourLabel>& labels) {
  std::vector<const Contour*> lines;
  for (const Drawn& drawn : all) {
    if (drawn.level == level) lines.push_back(&drawn.contour);
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Contour* a, const Contour* b) { return length_of(*a) > length_of(*b); });
  const std::string text = label_number(level, 6);
  for (std::size_t i = 0; i < lines.size() && i < most_labels; ++i) {
    if (length_of(*lines[i]) < least_length) break;
    const std::vector<FigurePlace> candidates = clear_first(outwards(places_along(*lines[i])), text, all, level);
    const auto chosen = places.put_on(text, candidates);
    if (!chosen) continue;
    const FigurePlace& at = candidates[*chosen];
    labels.push_back({.level = level, .text = text, .at = {.x = x.value_at(at.x), .y = y.value_at(at.y)}});
  }
}

}  // namespace

ContourLines contour_lines(ContourField field, const FigureScale& x, const FigureScale& y, bool logarithmic,
                           std::optional<FigurePlace> keep_free) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : field.values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  field.x = pixels_of(field.x, x);
  field.y = pixels_of(field.y, y);
  const std::vector<double> levels = round_levels(low, high, logarithmic);
  if (logarithmic) {
    for (double& value : field.values) value = std::log(value);
  }
  std::vector<Drawn> drawn;
  for (const double level : levels) {
    for (const Contour& contour : contours_of(field, logarithmic ? std::log(level) : level))
      drawn.push_back({.level = level, .contour = thinned(contour, visible_pixels, visible_pixels)});
  }
  ContourLines result;
  LabelPlaces places(x.pixels, y.pixels);
  if (keep_free) {
    const FigurePlace mark{.x = x.place(keep_free->x), .y = y.place(keep_free->y)};
    places.block({mark.x - mark_radius, mark.y - mark_radius, mark.x + mark_radius, mark.y + mark_radius});
  }
  for (const double level : levels) label_level(level, drawn, places, x, y, result.labels);
  for (const Drawn& one : drawn) {
    ContourLine line{.level = one.level};
    for (const ContourPoint& point : one.contour.points)
      line.points.push_back({.x = x.value_at(point.x), .y = y.value_at(point.y)});
    result.lines.push_back(std::move(line));
  }
  return result;
}

}  // namespace saturn
