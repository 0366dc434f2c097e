#include "calibration/grouped_points.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace saturn;

TEST_CASE("few points stay as they are, many of the same size become their mean with its standard error") {
  std::vector<FitPoint> points;
  for (int i = 0; i < 2000; ++i) points.push_back({.x = 1.0 + i % 2, .y = 1.0 + (i / 2) % 2});
  CHECK(grouped_points(points).size() == 2000);
  points.push_back({.x = 3.0, .y = 7.0});
  const std::vector<FitPoint> grouped = grouped_points(points);
  REQUIRE(grouped.size() == 3);
  CHECK(grouped[0].x == doctest::Approx(1.0));
  CHECK(grouped[0].y == doctest::Approx(1.5));
  // 500 values of 1 and 500 of 2: variance 0.25·1000/999, over 1000.
  CHECK(*grouped[0].standard_error == doctest::Approx(std::sqrt(0.25 / 999.0)));
  CHECK(grouped[2].y == 7.0);
  CHECK_FALSE(grouped[2].standard_error.has_value());
}

TEST_CASE("points of many sizes are grouped with their neighbours, none lost") {
  std::vector<FitPoint> points;
  for (int i = 0; i < 10007; ++i) points.push_back({.x = 1.0 + 0.001 * i, .y = 5.0 + 0.002 * i});
  const std::vector<FitPoint> grouped = grouped_points(points);
  CHECK(grouped.size() <= 500);
  CHECK(grouped.size() > 400);
  // Means of a straight line lie on it.
  for (const FitPoint& point : grouped) CHECK(point.y == doctest::Approx(5.0 + 2.0 * (point.x - 1.0)));
}
