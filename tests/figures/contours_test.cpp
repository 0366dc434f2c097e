#include "reports/figures/maps/contours.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace saturn;

namespace {

template <class Value>
ContourField field_of(std::vector<double> x, std::vector<double> y, Value value) {
  ContourField field{.x = std::move(x), .y = std::move(y)};
  for (const double at_y : field.y) {
    for (const double at_x : field.x) field.values.push_back(value(at_x, at_y));
  }
  return field;
}

std::vector<double> steps(double from, double to, std::size_t count) {
  std::vector<double> found;
  for (std::size_t i = 0; i < count; ++i)
    found.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1));
  return found;
}

/// The field between its nodes, found by looking for the square: independent of the lines.
double interpolated(const ContourField& field, const ContourPoint& point) {
  const auto place = [](const std::vector<double>& at, double value) {
    const auto above = std::upper_bound(at.begin() + 1, at.end() - 1, value);
    return static_cast<std::size_t>(above - at.begin()) - 1;
  };
  const std::size_t ix = place(field.x, point.x);
  const std::size_t iy = place(field.y, point.y);
  const double u = (point.x - field.x[ix]) / (field.x[ix + 1] - field.x[ix]);
  const double v = (point.y - field.y[iy]) / (field.y[iy + 1] - field.y[iy]);
  // A corner that does not count may be missing.
  const auto weighed = [&](std::size_t y, std::size_t x, double weight) {
    return weight < 1e-9 ? 0.0 : weight * field.at(y, x);
  };
  return weighed(iy, ix, (1 - u) * (1 - v)) + weighed(iy, ix + 1, u * (1 - v)) + weighed(iy + 1, ix, (1 - u) * v) +
         weighed(iy + 1, ix + 1, u * v);
}

bool on_border(const ContourField& field, const ContourPoint& point) {
  return point.x == field.x.front() || point.x == field.x.back() || point.y == field.y.front() ||
         point.y == field.y.back();
}

}  // namespace

TEST_CASE("contours of x times y are straight in logarithms, where they are exact") {
  const ContourField field =
      field_of(steps(0.0, 4.0, 7), steps(-2.0, 3.0, 9), [](double log_x, double log_y) { return log_x + log_y; });
  const std::vector<Contour> found = contours_of(field, 1.7);
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].ring);
  for (const ContourPoint& point : found[0].points) CHECK(point.x + point.y == doctest::Approx(1.7));
  CHECK(thinned(found[0], 1e-6, 1e-6).points.size() == 2);
}

TEST_CASE("the contour of x² + y² is one ring round the middle, within the grid's error of the circle") {
  const ContourField field =
      field_of(steps(-2.0, 2.0, 41), steps(-2.0, 2.0, 41), [](double x, double y) { return x * x + y * y; });
  const std::vector<Contour> found = contours_of(field, 2.0);
  REQUIRE(found.size() == 1);
  CHECK(found[0].ring);
  // Linear interpolation of a parabola over a step h is off by at most h²/4.
  for (const ContourPoint& point : found[0].points)
    CHECK(std::abs(point.x * point.x + point.y * point.y - 2.0) <= 0.1 * 0.1 / 4 + 1e-12);
  const Contour thin = thinned(found[0], 0.01, 0.01);
  CHECK(thin.points.size() < found[0].points.size());
  for (const ContourPoint& point : thin.points)
    CHECK(std::hypot(point.x, point.y) == doctest::Approx(std::sqrt(2.0)).epsilon(0.01));
}

TEST_CASE("a saddle is decided by the mean of its corners") {
  const auto saddle = [](double low, double high) {
    return contours_of({.x = {0, 1}, .y = {0, 1}, .values = {high, low, low, high}}, 0.0);
  };
  const auto cuts_off_lower_left = [](const std::vector<Contour>& lines) {
    return std::any_of(lines.begin(), lines.end(), [](const Contour& line) {
      return std::all_of(line.points.begin(), line.points.end(), [](const ContourPoint& p) { return p.x + p.y < 1.0; });
    });
  };
  // A middle below the level leaves the high corners as islands; one above it joins them.
  REQUIRE(saddle(-4.0, 1.0).size() == 2);
  CHECK(cuts_off_lower_left(saddle(-4.0, 1.0)));
  const auto joined = saddle(-1.0, 4.0);
  REQUIRE(joined.size() == 2);
  for (const Contour& line : joined) {
    const bool lower_right =
        std::all_of(line.points.begin(), line.points.end(), [](const ContourPoint& p) { return p.x > p.y; });
    const bool upper_left =
        std::all_of(line.points.begin(), line.points.end(), [](const ContourPoint& p) { return p.x < p.y; });
    CHECK((lower_right || upper_left));
  }
}

TEST_CASE("a plateau at the level, but for rounding errors, gives no lines of noise") {
  const ContourField field = field_of(steps(0, 9, 10), steps(0, 9, 10), [](double x, double y) {
    return 20.0 + (static_cast<int>(x + 3 * y) % 2 == 0 ? 1e-13 : -1e-13);
  });
  CHECK(contours_of(field, 20.0).empty());
}

TEST_CASE("every point of every contour has the level, and lines end only on the border of what is known") {
  CHECK(rc::check([] {
    const auto nx = *rc::gen::inRange<std::size_t>(2, 9);
    const auto ny = *rc::gen::inRange<std::size_t>(2, 9);
    ContourField field{.x = steps(0.0, 3.0, nx), .y = steps(-1.0, 1.0, ny)};
    bool holes = false;
    for (std::size_t i = 0; i < nx * ny; ++i) {
      const int value = *rc::gen::inRange(-6, 7);
      holes = holes || value == 6;
      field.values.push_back(value == 6 ? std::numeric_limits<double>::quiet_NaN() : value);
    }
    const double level = *rc::gen::inRange(-4, 5) + 0.5 * *rc::gen::inRange(0, 2);
    for (const Contour& line : contours_of(field, level)) {
      RC_ASSERT(line.points.size() >= 2);
      for (const ContourPoint& point : line.points) {
        const double value = interpolated(field, point);
        if (std::isfinite(value)) RC_ASSERT(std::abs(value - level) < 1e-9);
      }
      if (!line.ring && !holes)
        RC_ASSERT(on_border(field, line.points.front()) && on_border(field, line.points.back()));
    }
  }));
}

TEST_CASE("between any two numbers there are three to seven round levels, inside and ascending") {
  CHECK(rc::check([] {
    const double low = *rc::gen::inRange(-100000, 100000) / 7.0;
    const double span = std::pow(10.0, *rc::gen::inRange(-40, 60) / 10.0);
    const bool logarithmic = *rc::gen::arbitrary<bool>();
    const double from = logarithmic ? std::abs(low) + 1e-3 : low;
    const std::vector<double> levels = round_levels(from, from + span, logarithmic);
    RC_ASSERT(levels.size() >= 3 && levels.size() <= 7);
    RC_ASSERT(std::is_sorted(levels.begin(), levels.end()));
    RC_ASSERT(levels.front() > from && levels.back() < from + span);
  }));
}

TEST_CASE("round levels are what a person would choose") {
  CHECK(round_levels(18.0, 71.0, false) == std::vector<double>{20, 40, 60});
  CHECK(round_levels(399.0, 2900.0, true) == std::vector<double>{400, 500, 700, 1000, 1500, 2000});
  CHECK(round_levels(5.0, 5.0, false).empty());
  CHECK(round_levels(std::numeric_limits<double>::quiet_NaN(), 1.0, false).empty());
}
