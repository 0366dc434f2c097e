#include "models/parameter_draws.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "models/isotonic.hpp"

namespace saturn {

namespace {

FittedParameters two_parameters() {
  return {.names = {"per_batch", "per_item"}, .values = {1e-3, 3e-5}, .covariance = {1e-10, -4e-13, -4e-13, 2.5e-15}};
}

struct Moments {
  double mean[2] = {};
  double covariance[3] = {};  // 00, 01, 11
};

Moments moments_of(const FittedParameters& fitted, int draws) {
  RandomStream stream(7, 0, 0, Purpose::parameters);
  Moments moments;
  for (int i = 0; i < draws; ++i) {
    const auto drawn = draw_parameters(fitted, stream);
    const double a = drawn[0] - fitted.values[0];
    const double b = drawn[1] - fitted.values[1];
    moments.mean[0] += a / draws;
    moments.mean[1] += b / draws;
    moments.covariance[0] += a * a / draws;
    moments.covariance[1] += a * b / draws;
    moments.covariance[2] += b * b / draws;
  }
  return moments;
}

}  // namespace

TEST_CASE("drawn parameters have the covariance that they were fitted with") {
  FittedParameters fitted = two_parameters();
  constexpr int draws = 20000;
  for (const double freedom : {0.0, 10.0}) {
    fitted.degrees_of_freedom = freedom;
    const Moments moments = moments_of(fitted, draws);
    // Student's t has the variance f/(f − 2) of a normal variable.
    const double wider = freedom > 0.0 ? freedom / (freedom - 2.0) : 1.0;
    CHECK(std::abs(moments.mean[0]) < 4.0 * std::sqrt(1e-10 * wider / draws));
    CHECK(moments.covariance[0] == doctest::Approx(1e-10 * wider).epsilon(0.05));
    CHECK(moments.covariance[1] == doctest::Approx(-4e-13 * wider).epsilon(0.05));
    CHECK(moments.covariance[2] == doctest::Approx(2.5e-15 * wider).epsilon(0.05));
  }
}

TEST_CASE("parameters that are one and the same are drawn as one, and those without error stay") {
  FittedParameters fitted{.names = {"a", "b", "c"},
                          .values = {1.0, 2e-9, 0.0},
                          .covariance = {0.04, 0.04e-9, 0.0, 0.04e-9, 0.04e-18, 0.0, 0.0, 0.0, 0.0}};
  RandomStream stream(7, 0, 1, Purpose::parameters);
  for (int i = 0; i < 100; ++i) {
    const auto drawn = draw_parameters(fitted, stream);
    CHECK((drawn[1] - 2e-9) * 1e9 == doctest::Approx(drawn[0] - 1.0));
    CHECK(drawn[2] == 0.0);
  }
}

TEST_CASE("no draw makes a positive parameter negative, however badly it is known") {
  const FittedParameters fitted{.names = {"mean"}, .values = {1.0}, .covariance = {100.0}, .degrees_of_freedom = 1.0};
  RandomStream stream(7, 0, 2, Purpose::parameters);
  for (int i = 0; i < 1000; ++i) CHECK(draw_parameters(fitted, stream)[0] > 0.0);
}

TEST_CASE("a parameter's interval takes the normal quantile, Student's, or its own limits") {
  FittedParameters fitted = two_parameters();
  CHECK(interval(fitted, 0, 0.95).high == doctest::Approx(1e-3 + 1.959964e-5));
  fitted.degrees_of_freedom = 3.0;
  CHECK(interval(fitted, 0, 0.95).low == doctest::Approx(1e-3 - 3.182446e-5));
  fitted.intervals_95 = {{0.9e-3, 1.3e-3}, {2e-5, 4e-5}};
  CHECK(interval(fitted, 0, 0.95).high == doctest::Approx(1.3e-3));
  // 5.840909 and 3.182446 are Student's quantiles of 99 % and 95 % at three degrees of freedom.
  CHECK(interval(fitted, 0, 0.99).low == doctest::Approx(1e-3 - 0.1e-3 * 5.840909 / 3.182446));
}

TEST_CASE("parameters that do not belong together are refused") {
  FittedParameters fitted = two_parameters();
  RandomStream stream(7, 0, 3, Purpose::parameters);
  CHECK_THROWS_AS(interval(fitted, 2, 0.95), std::invalid_argument);
  CHECK_THROWS_AS(interval(fitted, 0, 1.0), std::invalid_argument);
  fitted.covariance[0] = -1.0;
  CHECK_THROWS_AS(draw_parameters(fitted, stream), std::invalid_argument);
  fitted.covariance[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(draw_parameters(fitted, stream), std::invalid_argument);
  fitted.covariance.pop_back();
  CHECK_THROWS_AS(draw_parameters(fitted, stream), std::invalid_argument);
}

TEST_CASE("what descends is pooled into its weighted mean") {
  CHECK(non_descending(std::vector{1.0, 3.0, 2.0, 5.0}, std::vector{1.0, 1.0, 3.0, 1.0}) ==
        std::vector{1.0, 2.25, 2.25, 5.0});
  CHECK(non_descending(std::vector{4.0, 2.0, 0.0}, std::vector{1.0, 1.0, 1.0}) == std::vector{2.0, 2.0, 2.0});
  CHECK(non_descending(std::vector<double>{}, std::vector<double>{}).empty());
}

}  // namespace saturn
