#include "calibration/fit/estimates.hpp"

#include <stdexcept>

#include "tests/calibration/synthetic.hpp"

namespace saturn {

namespace {

/// Mean of n normal values, with its estimated error.
SourcedEstimate measured(double truth, double sd, int n, RandomStream& stream) {
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < n; ++i) {
    const double value = sd * standard_normal(stream);
    sum += value;
    squares += value * value;
  }
  const double mean = sum / n;
  return {.value = truth + mean,
          .standard_error = std::sqrt((squares - n * mean * mean) / (n - 1.0) / n),
          .degrees_of_freedom = n - 1.0};
}

}  // namespace

TEST_CASE("the factor between two estimates and their mean lie in their intervals in 93 to 97 %") {
  int contradictions = 0;
  check_coverage(200, [&](RandomStream& stream, Coverages& held) {
    const SourcedEstimate a = measured(20.0, 1.0, 8, stream);
    const SourcedEstimate b = measured(10.0, 2.0, 12, stream);
    held["factor"].add(compare_estimates(a, b).factor_95, 2.0);
    const std::vector<SourcedEstimate> three{measured(10.0, 1.0, 10, stream), measured(10.0, 2.0, 20, stream),
                                             measured(10.0, 1.5, 15, stream)};
    contradictions += compare_estimates(three[0], three[1]).contradict ? 1 : 0;
    const CombinedEstimate combined = combine_estimates(three);
    const FittedParameters parameters{.names = {"mean"},
                                      .values = {combined.value},
                                      .covariance = {combined.standard_error * combined.standard_error},
                                      .degrees_of_freedom = combined.degrees_of_freedom};
    held["combined, errors estimated"].add(interval(parameters, 0, 0.95), 10.0);
    std::vector<SourcedEstimate> exact;
    for (const double error : {0.1, 0.2, 0.3, 0.5})
      exact.push_back({.value = 10.0 + error * standard_normal(stream), .standard_error = error});
    const CombinedEstimate both = combine_estimates(exact);
    const FittedParameters exactly{.names = {"mean"},
                                   .values = {both.value},
                                   .covariance = {both.standard_error * both.standard_error},
                                   .degrees_of_freedom = both.degrees_of_freedom};
    held["combined, errors known"].add(interval(exactly, 0, 0.95), 10.0);
  });
  CHECK(contradictions <= 0.02 * coverage_sets);
}

TEST_CASE("Welch's degrees of freedom are those of the textbook") {
  // Errors 0.1 and 0.2 of 1 with 10 and 5 degrees of freedom: (0.01 + 0.04)²/(0.01²/10 + 0.04²/5) = 7.5758.
  const EstimateComparison comparison =
      compare_estimates({.value = 1.0, .standard_error = 0.1, .degrees_of_freedom = 10.0},
                        {.value = 1.0, .standard_error = 0.2, .degrees_of_freedom = 5.0});
  CHECK(comparison.degrees_of_freedom == doctest::Approx(7.5757576));
  CHECK(comparison.p == doctest::Approx(1.0));
}

TEST_CASE("estimates that scatter too much get Birge's factor") {
  const CombinedEstimate combined =
      combine_estimates({{.value = 1.0, .standard_error = 0.1}, {.value = 2.0, .standard_error = 0.1}});
  CHECK(combined.value == doctest::Approx(1.5));
  CHECK(combined.chi2 == doctest::Approx(50.0));
  CHECK(combined.birge == doctest::Approx(std::sqrt(50.0)));
  CHECK(combined.standard_error == doctest::Approx(0.5));
  CHECK(combined.degrees_of_freedom == 1.0);
}

TEST_CASE("estimates without an error, or of nothing, are refused") {
  CHECK_THROWS_AS(combine_estimates({}), std::invalid_argument);
  CHECK_THROWS_AS(combine_estimates({{.value = 1.0}}), std::invalid_argument);
  CHECK_THROWS_AS(compare_estimates({.value = -1.0, .standard_error = 1.0}, {.value = 1.0, .standard_error = 1.0}),
                  std::invalid_argument);
}

}  // namespace saturn
