#include "reports/figures/maps/contours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

#include "models/words/numbers.hpp"

namespace saturn {

namespace {

constexpr double rounding_errors = 1e-9;

/// A side of a square: numbered, so that neighbours know it by the same number.
using Side = std::size_t;

struct Segment {
  Side from = 0;
  Side to = 0;
};

class Marching {
 public:
  Marching(const ContourField& field, double level) : field_(field), level_(level) {
    for (std::size_t iy = 0; iy + 1 < field.y.size(); ++iy) {
      for (std::size_t ix = 0; ix + 1 < field.x.size(); ++ix) march(iy, ix);
    }
  }

  std::vector<Contour> joined() const;

 private:
  std::size_t node(std::size_t iy, std::size_t ix) const { return iy * field_.x.size() + ix; }
  // A node owns the side to its right and the one above it.
  Side right_of(std::size_t iy, std::size_t ix) const { return 2 * node(iy, ix); }
  Side above(std::size_t iy, std::size_t ix) const { return 2 * node(iy, ix) + 1; }

  void march(std::size_t iy, std::size_t ix);
  void connect(Side from, Side to);
  ContourPoint crossing(Side side) const;
  Contour followed(Side start, std::vector<bool>& used) const;

  const ContourField& field_;
  double level_;
  std::vector<Segment> segments_{};
  std::map<Side, std::vector<std::size_t>> at_{};  ///< segments that end at a side
};

void Marching::connect(Side from, Side to) {
  at_[from].push_back(segments_.size());
  at_[to].push_back(segments_.size());
  segments_.push_back({from, to});
}

void Marching::march(std::size_t iy, std::size_t ix) {
  // Counter-clockwise from the lower left corner; sides[i] goes from corner i to corner i + 1.
  const std::array<double, 4> corners{field_.at(iy, ix), field_.at(iy, ix + 1), field_.at(iy + 1, ix + 1),
                                      field_.at(iy + 1, ix)};
  if (!std::all_of(corners.begin(), corners.end(), [](double value) { return std::isfinite(value); })) return;
  const std::array<Side, 4> sides{right_of(iy, ix), above(iy, ix + 1), right_of(iy + 1, ix), above(iy, ix)};
  std::vector<std::size_t> crossed;
  for (std::size_t i = 0; i < 4; ++i) {
    if ((corners[i] >= level_) != (corners[(i + 1) % 4] >= level_)) crossed.push_back(i);
  }
  if (crossed.size() == 2) connect(sides[crossed[0]], sides[crossed[1]]);
  if (crossed.size() != 4) return;
  const double middle = corners[0] / 4 + corners[1] / 4 + corners[2] / 4 + corners[3] / 4;
  // Where the middle is on the side of corner 0, the lines cut off corners 1 and 3; else 0 and 2.
  const bool with_first = (middle >= level_) == (corners[0] >= level_);
  connect(sides[0], with_first ? sides[1] : sides[3]);
  connect(sides[2], with_first ? sides[3] : sides[1]);
}

ContourPoint Marching::crossing(Side side) const {
  const std::size_t first = side / 2;
  const bool upwards = side % 2 == 1;
  const std::size_t second = upwards ? first + field_.x.size() : first + 1;
  const double low = field_.values[first];
  const double high = field_.values[second];
  const double share = std::clamp((level_ / 2 - low / 2) / (high / 2 - low / 2), 0.0, 1.0);
  const auto between = [&](double a, double b) { return a + share * (b - a); };
  const std::size_t nx = field_.x.size();
  return {between(field_.x[first % nx], field_.x[second % nx]), between(field_.y[first / nx], field_.y[second / nx])};
}

Contour Marching::followed(Side start, std::vector<bool>& used) const {
  Contour contour;
  contour.points.push_back(crossing(start));
  Side here = start;
  while (true) {
    const std::vector<std::size_t>& meeting = at_.at(here);
    const auto next = std::find_if(meeting.begin(), meeting.end(), [&](std::size_t i) { return !used[i]; });
    if (next == meeting.end()) break;
    used[*next] = true;
    here = segments_[*next].from == here ? segments_[*next].to : segments_[*next].from;
    contour.points.push_back(crossing(here));
  }
  contour.ring = here == start;
  return contour;
}

std::vector<Contour> Marching::joined() const {
  std::vector<Contour> found;
  std::vector<bool> used(segments_.size(), false);
  // Lines that end somewhere first, from their ends; what is left are rings.
  for (const auto& [side, meeting] : at_) {
    if (meeting.size() == 1 && !used[meeting.front()]) found.push_back(followed(side, used));
  }
  for (const auto& [side, meeting] : at_) {
    if (!used[meeting.front()]) found.push_back(followed(side, used));
  }
  return found;
}

// Values that should be equal to the level, but for rounding errors, would make lines of nothing but noise.
ContourField without_noise(ContourField field, double level) {
  double widest = std::abs(level);
  for (const double value : field.values) {
    if (std::isfinite(value)) widest = std::max(widest, std::abs(value));
  }
  for (double& value : field.values) {
    if (std::abs(value - level) <= rounding_errors * widest) value = level;
  }
  return field;
}

double distance_from(const ContourPoint& point, const ContourPoint& a, const ContourPoint& b, double sx, double sy) {
  const double px = (point.x - a.x) / sx;
  const double py = (point.y - a.y) / sy;
  const double bx = (b.x - a.x) / sx;
  const double by = (b.y - a.y) / sy;
  const double length2 = bx * bx + by * by;
  const double share = length2 > 0.0 ? std::clamp((px * bx + py * by) / length2, 0.0, 1.0) : 0.0;
  return std::hypot(px - share * bx, py - share * by);
}

std::vector<double> multiples_between(double low, double high, double step) {
  std::vector<double> found;
  const double margin = rounding_errors * (high - low);
  for (double k = std::floor(low / step); k * step < high - margin && found.size() < 100; ++k) {
    if (k * step > low + margin) found.push_back(k * step);
  }
  return found;
}

std::vector<double> linear_levels(double low, double high) {
  // The coarsest step that gives at least three: the next coarser one gave at most two, so there are at most seven.
  const int decade = static_cast<int>(std::floor(std::log10(high - low)));
  for (int power = decade; power >= decade - 2; --power) {
    for (const double digit : {5.0, 2.5, 2.0, 1.0}) {
      std::vector<double> levels = multiples_between(low, high, digit * std::pow(10.0, power));
      if (levels.size() >= 3) return levels;
    }
  }
  return {};
}

std::vector<double> logarithmic_levels(double low, double high) {
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  const double margin = 1.0 + rounding_errors;
  for (const std::vector<double>& digits :
       {std::vector<double>{1, 1.5, 2, 3, 4, 5, 7}, std::vector<double>{1, 2, 3, 5, 7}, std::vector<double>{1, 2, 5},
        std::vector<double>{1, 3}, std::vector<double>{1}}) {
    std::vector<double> levels;
    for (int decade = first; decade <= last; ++decade) {
      for (const double digit : digits) {
        const double level = digit * std::pow(10.0, decade);
        if (level > low * margin && level < high / margin) levels.push_back(level);
      }
    }
    if (levels.size() >= 3 && levels.size() <= 7) return levels;
    if (digits.size() > 1) continue;
    // More than seven decades: every so many of them.
    const std::size_t every = (levels.size() + 6) / 7;
    std::vector<double> some;
    for (std::size_t i = every / 2; every > 0 && i < levels.size(); i += every) some.push_back(levels[i]);
    if (some.size() >= 3) return some;
  }
  return linear_levels(low, high);
}

}  // namespace

std::vector<Contour> contours_of(const ContourField& field, double level) {
  const ContourField clean = without_noise(field, level);
  return Marching(clean, level).joined();
}

Contour thinned(const Contour& contour, double tolerance_x, double tolerance_y) {
  const std::vector<ContourPoint>& all = contour.points;
  if (all.size() < 3) return contour;
  std::vector<bool> kept(all.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, all.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    double widest = 1.0;
    std::size_t at = first;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double distance = distance_from(all[i], all[first], all[last], tolerance_x, tolerance_y);
      if (distance <= widest) continue;
      widest = distance;
      at = i;
    }
    if (at == first) continue;
    kept[at] = true;
    open.emplace_back(first, at);
    open.emplace_back(at, last);
  }
  Contour result{.ring = contour.ring};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (kept[i]) result.points.push_back(all[i]);
  }
  return result;
}

std::vector<double> round_levels(double low, double high, bool logarithmic) {
  if (!std::isfinite(low) || !std::isfinite(high) || !std::isfinite(high - low)) return {};
  if (high - low <= rounding_errors * std::max(std::abs(low), std::abs(high))) return {};
  return logarithmic ? logarithmic_levels(low, high) : linear_levels(low, high);
}

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
