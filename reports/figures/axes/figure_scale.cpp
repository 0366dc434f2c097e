#include "reports/figures/axes/figure_scale.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <numbers>
#include <string>

#include "models/words/texts.hpp"
#include "reports/tables/text_plot.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_ticks = 12;

// Read from text, since powers of ten that are computed may be off in the last digit.
double decimal(int digit, int exponent) {
  return std::strtod((std::to_string(digit) + "e" + std::to_string(exponent)).c_str(), nullptr);
}

std::vector<double> series_inside(const FigureScale& scale, const std::vector<double>& digits, int every) {
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(scale.low)));
  const int last = static_cast<int>(std::ceil(std::log10(scale.high)));
  for (int decade = first; decade <= last; ++decade) {
    if (decade % every != 0) continue;
    for (const double digit : digits) {
      const double tick = decimal(static_cast<int>(digit), decade);
      if (tick >= scale.low && tick <= scale.high) ticks.push_back(tick);
    }
  }
  return ticks;
}

FigureScale logarithmic_scale(double low, double high, const ScaleWish& wish) {
  const double margin = (std::log(high) - std::log(low)) * wish.margin;
  const double below = std::exp(std::log(low) - margin);
  const double above = std::exp(std::log(high) + margin);
  // Beyond the least and the largest double there is no room for a margin.
  return {.logarithmic = true,
          .low = below > 0.0 ? below : low,
          .high = std::isfinite(above) ? above : high,
          .pixels = wish.pixels};
}

}  // namespace

double FigureScale::place(double value) const {
  if (logarithmic) return pixels * (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
  // Halves, since the difference of two doubles may be none.
  return pixels * ((value / 2 - low / 2) / (high / 2 - low / 2));
}

double FigureScale::value_at(double place) const {
  const double share = place / pixels;
  if (logarithmic) return std::exp(std::log(low) + share * (std::log(high) - std::log(low)));
  return low * (1.0 - share) + high * share;
}

FigureScale scale_of(const std::vector<double>& values, const ScaleWish& wish) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](double v) { return std::isfinite(v); });
  if (finite.empty()) return {.pixels = wish.pixels};
  const auto [least, most] = std::minmax_element(finite.begin(), finite.end());
  double low = *least;
  double high = *most;
  if (!wish.never_log && better_logarithmic(finite)) return logarithmic_scale(low, high, wish);
  const bool from_zero = wish.from_zero && low >= 0.0;
  if (from_zero) low = 0.0;
  if (high / 2 - low / 2 <= 1e-9 * std::max(std::abs(low), std::abs(high))) {
    const double round = high == 0.0 ? 1.0 : std::abs(high) / 2;
    return {.low = from_zero ? 0.0 : low - round, .high = high + round, .pixels = wish.pixels};
  }
  // Margins beyond the largest double would make the domain infinite.
  const double most_double = std::numeric_limits<double>::max() / 4;
  const double margin = (high / 2 - low / 2) * 2 * wish.margin;
  return {.low = from_zero ? 0.0 : std::max(-most_double, low - margin),
          .high = std::min(most_double, high + margin),
          .pixels = wish.pixels};
}

std::vector<double> logarithmic_ticks(const FigureScale& scale) {
  for (const std::vector<double>& digits :
       {std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}, std::vector<double>{1, 2, 5}, std::vector<double>{1}}) {
    std::vector<double> ticks = series_inside(scale, digits, 1);
    if (ticks.size() <= most_ticks) return ticks;
  }
  for (int every = 2;; every *= 2) {
    std::vector<double> ticks = series_inside(scale, {1}, every);
    if (ticks.size() <= most_ticks) return ticks;
  }
}

std::optional<std::string> extreme_format(const FigureScale& scale) {
  const double widest = std::max(std::abs(scale.low), std::abs(scale.high));
  if (widest < 1e8 && widest >= 1e-3) return std::nullopt;
  // Without a precision a linear axis takes as many digits as tell its ticks apart.
  return scale.logarithmic ? ".3~g" : "~g";
}

bool all_whole(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == std::floor(value); });
}

void put_scale(std::vector<SpecChange>& changes, const std::string& channel, const FigureScale& scale) {
  changes.push_back({channel + "/scale/type", std::string(scale.logarithmic ? "log" : "linear")});
  changes.push_back({channel + "/scale/domain", std::vector<double>{scale.low, scale.high}});
  if (const auto format = extreme_format(scale)) changes.push_back({channel + "/axis/format", *format});
  if (!scale.logarithmic) return;
  changes.push_back({channel + "/scale/zero", {}});
  changes.push_back({channel + "/axis/values", logarithmic_ticks(scale)});
}

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
