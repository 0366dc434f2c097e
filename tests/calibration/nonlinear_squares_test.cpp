#include "calibration/fit/nonlinear_squares.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include "calibration/fit/linear_squares.hpp"
#include "models/statistics/quantiles.hpp"
#include "tests/calibration/synthetic.hpp"

using namespace saturn;

namespace {

/// Residuals of one set of parameters at a time.
ResidualsOf each(const std::function<std::vector<double>(const std::vector<double>&)>& one) {
  return [one](std::span<const std::vector<double>> points) {
    std::vector<std::vector<double>> all;
    for (const std::vector<double>& values : points) all.push_back(one(values));
    return all;
  };
}

const std::vector<double> sizes{1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0};

/// Relative residuals of a straight line through the times of batches.
ResidualsOf line_through(const std::vector<double>& times) {
  return each([times](const std::vector<double>& line) {
    std::vector<double> residuals;
    for (std::size_t i = 0; i < times.size(); ++i) residuals.push_back((line[0] + line[1] * sizes[i]) / times[i] - 1.0);
    return residuals;
  });
}

const std::vector<BoundedParameter> line{{.name = "per_batch", .start = 1.0, .scale = 1.0},
                                         {.name = "per_item", .start = 1.0, .scale = 1.0}};

/// 3 + 0.5 b with 2 % of noise.
std::vector<double> noisy_times(RandomStream& stream) {
  std::vector<double> times;
  for (const double size : sizes) times.push_back((3.0 + 0.5 * size) * (1.0 + 0.02 * standard_normal(stream)));
  return times;
}

}  // namespace

TEST_CASE("of a law that is linear in its parameters the search finds the solution of the normal equations") {
  RandomStream stream = set_stream(51, 0);
  const std::vector<double> times = noisy_times(stream);
  const LinearLaw law{.parameters = 2, .basis = [](double x, std::span<double> basis) {
                        basis[0] = 1.0;
                        basis[1] = x;
                      }};
  const LinearSolution exact = solve_linear(law, sizes, times, times);
  const NonlinearFit fit = fit_nonlinear(line, line_through(times));
  REQUIRE(fit.unidentified.empty());
  CHECK(fit.freedom == sizes.size() - 2);
  const double scatter = std::sqrt(exact.chi2 / 5.0);
  for (const std::size_t i : {0U, 1U}) {
    CAPTURE(i);
    const double half = student_quantile_above(5.0, 0.025) * scatter * std::sqrt(exact.covariance[3 * i]);
    CHECK(fit.values[i] == doctest::Approx(exact.values[i]).epsilon(2e-3));
    CHECK(fit.estimates[i].half_width() == doctest::Approx(half).epsilon(0.02));
  }
}

TEST_CASE("intervals of a searched fit hold the truth in 93 to 97 % of noisy data sets") {
  check_coverage(52, [](RandomStream& stream, Coverages& held) {
    const NonlinearFit fit = fit_nonlinear(line, line_through(noisy_times(stream)));
    held["per_batch"].add({fit.estimates[0].low, fit.estimates[0].high}, 3.0);
    held["per_item"].add({fit.estimates[1].low, fit.estimates[1].high}, 0.5);
  });
}

TEST_CASE("a curved law is found from a start that is off by a factor of thirty") {
  // x(N) = N / max(z, N d), rounded: what a closed loop does.
  const auto curve = [](double clients, double idle, double demand) {
    return std::log(std::hypot(idle, clients * demand));
  };
  const ResidualsOf residuals = each([&](const std::vector<double>& at) {
    std::vector<double> all;
    for (const double clients : {1.0, 8.0, 64.0})
      all.push_back(curve(clients, at[0], at[1]) - curve(clients, 0.02, 0.003));
    return all;
  });
  const NonlinearFit fit =
      fit_nonlinear(std::vector<BoundedParameter>{{.name = "idle", .start = 0.6, .scale = 0.6},
                                                  {.name = "demand", .start = 1e-4, .scale = 1e-4}},
                    residuals);
  CHECK(fit.values[0] == doctest::Approx(0.02).epsilon(0.01));
  CHECK(fit.values[1] == doctest::Approx(0.003).epsilon(0.01));
}

TEST_CASE("a parameter whose best value lies outside its range ends at the range's end, without an interval") {
  // The least squares of x - 3 and y + 1 within 0 <= x <= 2 and y >= 0.
  const ResidualsOf residuals = each([](const std::vector<double>& at) {
    return std::vector<double>{at[0] - 3.0, at[1] + 1.0, 0.5 * at[0] + at[1]};
  });
  const NonlinearFit fit = fit_nonlinear(
      std::vector<BoundedParameter>{{.name = "x", .start = 1.0, .high = 2.0}, {.name = "y", .start = 0.5}}, residuals);
  CHECK(fit.at_bound == std::vector<bool>{true, true});
  CHECK(fit.values[0] == 2.0);
  CHECK(fit.values[1] == 0.0);
  CHECK(fit.estimates[0].half_width() == 0.0);
}

TEST_CASE("what no residual responds to, and what acts only together, is named") {
  const std::vector<BoundedParameter> three{{.name = "a", .start = 2.0}, {.name = "b", .start = 3.0}, {.name = "c"}};
  const ResidualsOf residuals = each([](const std::vector<double>& at) {
    const double together = std::log(at[0] * at[1] / 5.0);
    return std::vector<double>{together, 2.0 * together, together + 0.1};
  });
  const NonlinearFit fit = fit_nonlinear(three, residuals);
  REQUIRE(fit.unidentified.size() == 2);
  CHECK(fit.unidentified[0].alone);
  CHECK(fit.unidentified[0].parameters == std::vector<std::size_t>{2});
  CHECK_FALSE(fit.unidentified[1].alone);
  CHECK(fit.unidentified[1].parameters == std::vector<std::size_t>{0, 1});
}

TEST_CASE("as many residuals as parameters tell no error: intervals are those of an assumed error in each") {
  // ln(x y) and ln(x / y) are known to 1 %: ln x and ln y to 1 % / √2.
  const ResidualsOf residuals = each([](const std::vector<double>& at) {
    return std::vector<double>{std::log(at[0] * at[1] / 6.0), std::log(at[0] / at[1] / 1.5)};
  });
  const NonlinearFit fit =
      fit_nonlinear(std::vector<BoundedParameter>{{.name = "x", .start = 1.0}, {.name = "y", .start = 1.0}}, residuals);
  CHECK(fit.freedom == 0);
  CHECK(fit.values[0] == doctest::Approx(3.0).epsilon(1e-3));
  CHECK(fit.values[1] == doctest::Approx(2.0).epsilon(1e-3));
  CHECK(fit.estimates[0].half_width() == doctest::Approx(3.0 * assumed_error / std::sqrt(2.0)).epsilon(0.01));
  CHECK_THROWS_AS(fit_nonlinear(line, each([](const std::vector<double>& at) { return std::vector<double>{at[0]}; })),
                  std::invalid_argument);
}
