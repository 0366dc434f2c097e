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
  return {.from = "a file",
          .value = truth + mean,
          .standard_error = std::sqrt((squares - n * mean * mean) / (n - 1.0) / n),
          .degrees_of_freedom = n - 1.0};
}

}  // namespace

TEST_CASE("the factor between two estimates and their mean lie in their intervals in 93 to 97 %") {
  Coverage factor;
  Coverage mean;
  Coverage known;
  int contradictions = 0;
  for (int set = 0; set < coverage_sets; ++set) {
    RandomStream stream = set_stream(200, static_cast<std::uint32_t>(set));
    const SourcedEstimate a = measured(20.0, 1.0, 8, stream);
    const SourcedEstimate b = measured(10.0, 2.0, 12, stream);
    factor.add(compare_estimates(a, b).factor_95, 2.0);
    const std::vector<SourcedEstimate> three{measured(10.0, 1.0, 10, stream), measured(10.0, 2.0, 20, stream),
                                             measured(10.0, 1.5, 15, stream)};
    contradictions += compare_estimates(three[0], three[1]).verdict == Agreement::contradict ? 1 : 0;
    const CombinedEstimate combined = combine_estimates(three);
    const FittedParameters parameters{.names = {"mean"},
                                      .values = {combined.value},
                                      .covariance = {combined.standard_error * combined.standard_error},
                                      .degrees_of_freedom = combined.degrees_of_freedom};
    mean.add(interval(parameters, 0, 0.95), 10.0);
    std::vector<SourcedEstimate> exact;
    for (const double error : {0.1, 0.2, 0.3, 0.5})
      exact.push_back({.value = 10.0 + error * standard_normal(stream), .standard_error = error});
    const CombinedEstimate both = combine_estimates(exact);
    const FittedParameters exactly{.names = {"mean"},
                                   .values = {both.value},
                                   .covariance = {both.standard_error * both.standard_error},
                                   .degrees_of_freedom = both.degrees_of_freedom};
    known.add(interval(exactly, 0, 0.95), 10.0);
  }
  check_coverage("factor", factor);
  check_coverage("combined, errors estimated", mean);
  check_coverage("combined, errors known", known);
  CHECK(contradictions <= 0.02 * coverage_sets);
}

TEST_CASE("two sources that contradict each other are named with their factor") {
  const SourcedEstimate a{.from = "perf.csv", .value = 2.72, .standard_error = 0.08, .degrees_of_freedom = 3.0};
  const SourcedEstimate b{.from = "scan.csv", .value = 1.77, .standard_error = 0.05};
  const EstimateComparison comparison = compare_estimates(a, b);
  CHECK(comparison.verdict == Agreement::contradict);
  CHECK(comparison.factor == doctest::Approx(2.72 / 1.77));
  CHECK(comparison.says ==
        "perf.csv and scan.csv contradict each other: 2.72 against 1.77, a factor 1.54 (1.4 to 1.68), p = 4.09e-07.");
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

TEST_CASE("the heaviest estimates decide") {
  const CombinedEstimate combined = combine_estimates({{.value = 1.0, .standard_error = 0.5},
                                                       {.value = 1.1, .standard_error = 0.1},
                                                       {.value = 1.2, .standard_error = 0.4}});
  CHECK(combined.decide == std::vector<std::size_t>{1});
}

TEST_CASE("estimates without an error, or of nothing, are refused") {
  CHECK_THROWS_AS(combine_estimates({}), std::invalid_argument);
  CHECK_THROWS_AS(combine_estimates({{.value = 1.0}}), std::invalid_argument);
  CHECK_THROWS_AS(compare_estimates({.value = -1.0, .standard_error = 1.0}, {.value = 1.0, .standard_error = 1.0}),
                  std::invalid_argument);
}

}  // namespace saturn
