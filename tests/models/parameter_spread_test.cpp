#include "models/laws/parameter_spread.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "models/results/calibrated_results.hpp"
#include "models/statistics/histogram.hpp"
#include "tests/models/normal_numbers.hpp"

using namespace saturn;

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
  const FittedParameters held{
      .names = {"per_batch", "per_item"}, .values = {0.0, 1.0}, .covariance = {1.0, -0.1, -0.1, 0.04}};
  for (int i = 0; i < 1000; ++i) CHECK(draw_parameters(held, stream)[0] >= 0.0);
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

namespace {

FittedParameters line_fit() {
  return {.names = {"per_batch", "per_item"},
          .values = {2e-3, 1e-4},
          .covariance = {4e-8, -4e-10, -4e-10, 1.6e-11},
          .degrees_of_freedom = 6.0};
}

FittedParameters with_covariance(std::vector<double> covariance) {
  FittedParameters fit = line_fit();
  fit.covariance = std::move(covariance);
  return fit;
}

/// How far draws move a function of both parameters.
template <class Function>
std::vector<double> moved_by(const ParameterDraws& draws, const Function& function) {
  std::vector<double> moved;
  for (const std::vector<double>& set : draws.sets) moved.push_back(function(set[0] - 2e-3, set[1] - 1e-4));
  return moved;
}

}  // namespace

TEST_CASE("sixteen matched draws have the fitted mean and covariance") {
  const FittedParameters fit = line_fit();
  const ParameterDraws draws = spread_draws(fit, 16, 7, 0);
  REQUIRE(draws.matched);
  for (std::size_t i = 0; i < 2; ++i) {
    double mean = 0.0;
    for (const auto& set : draws.sets) mean += set[i] / 16;
    CHECK(mean == doctest::Approx(fit.values[i]).epsilon(1e-12));
    for (std::size_t j = 0; j < 2; ++j) {
      double covariance = 0.0;
      for (const auto& set : draws.sets) covariance += (set[i] - fit.values[i]) * (set[j] - fit.values[j]) / 16;
      CHECK(covariance == doctest::Approx(fit.covariance[i * 2 + j]).epsilon(1e-9));
    }
  }
  CHECK(spread_draws(fit, 16, 7, 0).sets == draws.sets);
  CHECK(spread_draws(fit, 16, 7, 1).sets != draws.sets);
}

TEST_CASE("the spread of a linear function is that of error propagation, and noise of single runs averages out") {
  const ParameterDraws draws = spread_draws(line_fit(), 32, 1, 0);
  // Var(a + 100·b) = Var(a) + 2·100·Cov(a, b) + 100²·Var(b)
  const double expected = std::sqrt(4e-8 - 2.0 * 100.0 * 4e-10 + 1e4 * 1.6e-11);
  std::vector<double> moved = moved_by(draws, [](double a, double b) { return a + 100.0 * b; });
  CHECK(spread_of(draws, moved) == doctest::Approx(expected).epsilon(1e-9));

  NormalNumbers noise(5);
  double squares = 0.0;
  constexpr int repeats = 200;
  for (int i = 0; i < repeats; ++i) {
    std::vector<double> noisy = moved;
    for (double& one : noisy) one += expected * noise.next();
    squares += std::pow(spread_of(draws, noisy), 2) / repeats;
  }
  // Noise as large as the effect would make a plain standard deviation too large by √2.
  CHECK(std::sqrt(squares) == doctest::Approx(expected).epsilon(0.05));
}

TEST_CASE("beyond a kink half of the spread of a line stays") {
  const ParameterDraws draws = spread_draws(line_fit(), 64, 3, 0);
  const std::vector<double> moved = moved_by(draws, [](double a, double) { return std::max(0.0, a); });
  // √(E max(0, x)²) = σ/√2; the linear part and the shift alone are √(1/4 + 1/(2π))·σ = 0.64 σ.
  CHECK(spread_of(draws, moved) == doctest::Approx(0.64 * 2e-4).epsilon(0.1));
  CHECK(root_mean_square(moved) == doctest::Approx(std::sqrt(0.5) * 2e-4).epsilon(0.15));
}

TEST_CASE("parameters without variance stay, and too few draws are left as they come") {
  const ParameterDraws fixed = spread_draws(with_covariance({0, 0, 0, 1.6e-11}), 16, 1, 0);
  CHECK(fixed.matched);
  for (const auto& set : fixed.sets) CHECK(set[0] == 2e-3);
  CHECK(is_exact(with_covariance({0, 0, 0, 0})));
  CHECK_FALSE(is_exact(line_fit()));
  CHECK_FALSE(spread_draws(line_fit(), 3, 1, 0).matched);
}

TEST_CASE("a matrix that is no covariance is told from one") {
  CHECK(covariance_fault(line_fit()).empty());
  CHECK(covariance_fault(with_covariance({0, 0, 0, 0})).empty());
  CHECK(covariance_fault(with_covariance({4e-8, 0, 0, -1e-11})) == "has a negative variance: [1][1] is -1e-11");
  CHECK(covariance_fault(with_covariance({4e-8, 1e-10, -1e-10, 1.6e-11})) ==
        "is not symmetric: [1][0] is -1e-10, but [0][1] is 1e-10");
  CHECK(covariance_fault(with_covariance({4e-8, 2e-9, 2e-9, 1.6e-11})) ==
        "is not positive semidefinite: [1][0] is 2e-09, more than the product of the standard errors, 8e-10");
  const FittedParameters three{
      .names = {"a", "b", "c"}, .values = {1, 1, 1}, .covariance = {1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1}};
  CHECK(covariance_fault(three) == "is not positive semidefinite: its correlations have the eigenvalue -0.8");
}

TEST_CASE("half-widths of independent sources add up in squares, each side for itself") {
  Estimate estimate{.mean = 100.0, .low = 88.0, .high = 105.0};
  widen(estimate, {{"GPU times", 4.0}, {"the bandwidth", 3.0}});
  CHECK(estimate.mean == 100.0);
  CHECK(estimate.low == doctest::Approx(100.0 - 13.0));
  CHECK(estimate.high == doctest::Approx(100.0 + std::sqrt(50.0)));
  REQUIRE(estimate.parts);
  CHECK(estimate.parts->low_simulation == 88.0);
  CHECK(estimate.parts->high_simulation == 105.0);
}

TEST_CASE("intervals use Student's t of the fit, and the normal where errors were known") {
  FittedParameters fit = line_fit();
  CHECK(interval_factor(fit, 0.95) == doctest::Approx(2.4469).epsilon(1e-4));
  fit.degrees_of_freedom = 0.0;
  CHECK(interval_factor(fit, 0.95) == doctest::Approx(1.95996).epsilon(1e-5));
}
