#include "calibration/fit/service_fit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "calibration/fit/linear_squares.hpp"
#include "calibration/fitted_law.hpp"
#include "scenarios/document/complaints.hpp"
#include "tests/calibration/synthetic.hpp"

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

namespace saturn {

namespace {

std::vector<FitPoint> points_of(const std::vector<double>& x, const std::vector<double>& y, double error = 0.0) {
  std::vector<FitPoint> points;
  for (std::size_t i = 0; i < x.size(); ++i) {
    points.push_back({.x = x[i], .y = y[i], .label = "perf.csv:" + std::to_string(i + 2)});
    if (error > 0.0) points.back().standard_error = error;
  }
  return points;
}

std::string refusal(const std::vector<FitPoint>& points, Fit (*fit)(std::span<const FitPoint>)) {
  try {
    fit(points);
  } catch (const InputError& error) {
    std::string text;
    for (const Complaint& complaint : error.complaints()) text += complaint.formatted() + "\n";
    return text;
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a straight line agrees with the normal equations, solved in long double by hand") {
  RandomStream stream = set_stream(10, 0);
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> errors;
  for (int i = 0; i < 30; ++i) {
    x.push_back(1.0 + 200.0 * stream.uniform());
    errors.push_back(0.1 + stream.uniform());
    y.push_back(3.0 + 0.5 * x.back() + errors.back() * standard_normal(stream));
  }
  long double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double w = 1.0L / (static_cast<long double>(errors[i]) * errors[i]);
    s += w;
    sx += w * x[i];
    sy += w * y[i];
    sxx += w * x[i] * x[i];
    sxy += w * x[i] * y[i];
  }
  const long double determinant = s * sxx - sx * sx;
  const LinearLaw line{.parameters = 2, .basis = [](double at, std::span<double> basis) {
                         basis[0] = 1.0;
                         basis[1] = at;
                       }};
  const LinearSolution solution = solve_linear(line, x, y, errors);
  CHECK(solution.values[0] == doctest::Approx(static_cast<double>((sxx * sy - sx * sxy) / determinant)).epsilon(1e-12));
  CHECK(solution.values[1] == doctest::Approx(static_cast<double>((s * sxy - sx * sy) / determinant)).epsilon(1e-12));
  CHECK(solution.covariance[0] == doctest::Approx(static_cast<double>(sxx / determinant)).epsilon(1e-12));
  CHECK(solution.covariance[1] == doctest::Approx(static_cast<double>(-sx / determinant)).epsilon(1e-12));
  CHECK(solution.covariance[3] == doctest::Approx(static_cast<double>(s / determinant)).epsilon(1e-12));
}

TEST_CASE("a straight line agrees with four points worked out by hand") {
  // The line is 1.5 + 0.8 x: means 2.5 and 3.5, slope 4/5.
  const std::vector<double> x{1, 2, 3, 4};
  const std::vector<double> y{2, 3.5, 4, 4.5};
  const Fit fit = fit_affine(points_of(x, y, 0.5));
  CHECK(fit.parameters.values[1] == doctest::Approx(0.8));
  CHECK(fit.parameters.values[0] == doctest::Approx(1.5));
  // Residuals −0.3, 0.4, 0.1, −0.2: chi² = 0.3/0.25; variance of the slope 0.25/5.
  CHECK(fit.chi2 == doctest::Approx(1.2));
  CHECK(fit.parameters.covariance[3] == doctest::Approx(0.05));
  CHECK(fit.parameters.degrees_of_freedom == 0.0);
}

TEST_CASE("errors that are too small are multiplied by Birge's factor, and Student's t takes over") {
  const Fit fit = fit_affine(points_of({1, 2, 3, 4}, {2, 3.5, 4, 4.5}, 0.05));
  CHECK(fit.chi2 == doctest::Approx(120.0));
  CHECK(fit.parameters.covariance[3] == doctest::Approx(0.0005 * 60.0));
  CHECK(fit.parameters.degrees_of_freedom == 2.0);
  CHECK(has_note(fit, "the errors are multiplied by 7.75"));
}

TEST_CASE("a negative start is held at 0 and a flat law has no slope, and both say so") {
  const Fit start = fit_affine(points_of({1, 2, 4, 8}, {0.95, 2.02, 3.97, 8.1}, 0.1));
  CHECK(start.parameters.values[0] == 0.0);
  CHECK(start.parameters.values[1] == doctest::Approx(1.0).epsilon(0.02));
  CHECK(interval(start.parameters, 0, 0.95).low == 0.0);
  CHECK(has_note(start, "per_batch is held at 0"));
  const Fit flat = fit_affine(points_of({1, 2, 4, 8}, {5.01, 5.0, 5.02, 4.99}, 0.02));
  CHECK(flat.parameters.values[1] == 0.0);
  CHECK(has_note(flat, "the time does not depend on the size"));
}

TEST_CASE("a bent law is found with its knot, and the note has its F") {
  std::vector<FitPoint> points;
  RandomStream stream = set_stream(11, 0);
  for (const double b : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0})
    points.push_back({.x = b, .y = (2.0 + 0.2 * std::max(0.0, b - 8.0)) * (1.0 + 0.01 * standard_normal(stream))});
  const Fit fit = fit_service_law(points);
  CHECK(fit.law == "piecewise linear");
  CHECK(fit.knots == std::vector{1.0, 8.0, 64.0});
  CHECK(fit.parameters.names == std::vector<std::string>{"T(1)", "T(8)", "T(64)"});
  REQUIRE(fit.test);
  CHECK(fit.test->p < 0.025);
  CHECK(has_note(fit, "The data do not support the affine law: two straight parts are better (F = "));
}

TEST_CASE("repeats that no straight parts explain give the law through the measured sizes") {
  std::vector<FitPoint> points;
  RandomStream stream = set_stream(12, 0);
  const std::vector<double> truth{1.0, 2.0, 2.2, 4.0, 4.1, 8.0};
  for (std::size_t i = 0; i < truth.size(); ++i)
    for (int k = 0; k < 3; ++k)
      points.push_back({.x = 1.0 + static_cast<double>(i), .y = truth[i] * (1.0 + 0.01 * standard_normal(stream))});
  const Fit fit = fit_service_law(points);
  CHECK(fit.knots.size() == 6);
  CHECK(fit.used == points.size());
  CHECK(has_note(fit, "lack of fit"));
}

TEST_CASE("a law through measured sizes does not descend") {
  const Fit fit = fit_piecewise(points_of({1, 2, 4}, {2.0, 1.9, 3.0}, 0.1));
  CHECK(fit.parameters.values[0] == doctest::Approx(1.95));
  CHECK(fit.parameters.values[1] == doctest::Approx(1.95));
  CHECK(fit.parameters.covariance[0] == doctest::Approx(0.005));
  CHECK(fit.parameters.covariance[1] == doctest::Approx(0.005));
}

TEST_CASE("points without errors among others get the usual one") {
  std::vector<FitPoint> points = points_of({1, 2, 4, 8, 16}, {1.5, 2.05, 2.95, 5.1, 8.9}, 0.02);
  points[3].standard_error.reset();
  const Fit fit = fit_affine(points);
  CHECK_FALSE(fit.errors_known);
  CHECK(fit.parameters.degrees_of_freedom == 3.0);
  CHECK(has_note(fit, "Some points have no error"));
}

TEST_CASE("points that lie on the line exactly are fitted without an error") {
  const Fit fit = fit_service_law(points_of({1, 2, 4, 8, 16, 32}, {3, 4, 6, 10, 18, 34}));
  CHECK(fit.law == "affine");
  CHECK(fit.parameters.values[0] == doctest::Approx(2.0));
  CHECK(fit.parameters.values[1] == doctest::Approx(1.0));
}

TEST_CASE("points that no law can be fitted to are refused with the way out") {
  CHECK(
      refusal(points_of({8, 8, 8}, {1, 1.1, 0.9}), fit_affine) ==
      "perf.csv:2:1: calibration.too_few_sizes\n  All 3 points have the size 8; how the time grows with the size needs "
      "two different sizes at least: measure, for example, batches of 1, 8 and 64 too.\n");
  CHECK(
      refusal(points_of({1, 8}, {1, 2}), fit_service_law) ==
      "perf.csv:2:1: calibration.too_few_points\n  There are 2 points for 2 parameters and no error of each point; at "
      "least 3 are needed: measure more sizes, or each size more often.\n");
  CHECK(refusal(points_of({1, 8, 64}, {9, 8.11, 1}, 0.1), fit_affine).find("calibration.falling_times") !=
        std::string::npos);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(refusal(points_of({1, 8, nan}, {-9, 6, 1}), fit_affine) ==
        "perf.csv:2:1: calibration.bad_value\n  This point has the time -9 s; a time is a number above 0.\n"
        "perf.csv:4:1: calibration.bad_value\n  This point has the size nan; a size is a number above 0.\n");
  CHECK(refusal({}, fit_piecewise).find("calibration.too_few_points") != std::string::npos);
  CHECK(refusal(points_of({1, 2}, {1, 2}), fit_piecewise).find("calibration.too_few_points") != std::string::npos);
  CHECK(refusal(points_of({1, 2, 3}, {1, 2, 3}), fit_two_segments).find("calibration.too_few_sizes") !=
        std::string::npos);
}

namespace {

const std::vector<double> sizes{1, 2, 4, 8, 16, 32, 64, 128};

double affine_truth(double b) {
  return 1.2e-3 + 3e-5 * b;
}

double bent_truth(double b) {
  return 2e-3 + 1e-5 * b + 5e-5 * std::max(0.0, b - 16.0);
}

struct Scatter {
  double relative = 0.02;
  bool given = false;
  int repeats = 1;
};

std::vector<FitPoint> measure(double (*truth)(double), const Scatter& scatter, RandomStream& stream) {
  std::vector<FitPoint> points;
  for (const double b : sizes)
    for (int k = 0; k < scatter.repeats; ++k) {
      const double error = scatter.relative * truth(b);
      FitPoint point{.x = b, .y = truth(b) + error * standard_normal(stream)};
      if (scatter.given) point.standard_error = error;
      points.push_back(point);
    }
  return points;
}

void check_affine(std::uint32_t law, const Scatter& scatter, Fit (*fit_law)(std::span<const FitPoint>)) {
  check_coverage(law, [&](RandomStream& stream, Coverages& held) {
    const Fit fit = fit_law(measure(affine_truth, scatter, stream));
    held["per_batch"].add(fit, 0, 1.2e-3);
    held["per_item"].add(fit, 1, 3e-5);
  });
}

}  // namespace

TEST_CASE(
    "intervals of the affine law hold the truth in 93 to 97 % when errors are given, and when they are estimated" *
    doctest::test_suite("release")) {
  SUBCASE("given") {
    check_affine(1, {.relative = 0.02, .given = true}, fit_affine);
  }
  SUBCASE("estimated") {
    check_affine(2, {.relative = 0.02}, fit_affine);
  }
  SUBCASE("estimated, large, repeats") {
    check_affine(3, {.relative = 0.1, .repeats = 2}, fit_affine);
  }
}

TEST_CASE("intervals of the piecewise law hold the truth in 93 to 97 %" * doctest::test_suite("release")) {
  for (const bool given : {true, false}) {
    std::vector<Coverage> knots(sizes.size());
    for (int set = 0; set < coverage_sets; ++set) {
      RandomStream stream = set_stream(given ? 4 : 5, static_cast<std::uint32_t>(set));
      const Fit fit = fit_piecewise(measure(affine_truth, {.relative = 0.005, .given = given, .repeats = 3}, stream));
      for (std::size_t i = 0; i < sizes.size(); ++i) knots[i].add(fit, i, affine_truth(sizes[i]));
    }
    for (const Coverage& knot : knots) check_coverage("T(b)", knot);
  }
}

TEST_CASE("intervals of two segments hold the truth in 93 to 97 %, the knot being searched for" *
          doctest::test_suite("release")) {
  for (const bool given : {true, false}) {
    std::vector<Coverage> knots(3);
    for (int set = 0; set < coverage_sets; ++set) {
      RandomStream stream = set_stream(given ? 6 : 7, static_cast<std::uint32_t>(set));
      const Fit fit = fit_two_segments(measure(bent_truth, {.relative = 0.02, .given = given, .repeats = 2}, stream));
      for (std::size_t i = 0; i < 3; ++i) knots[i].add(fit, i, bent_truth(fit.knots[i]));
    }
    for (const Coverage& knot : knots) check_coverage("T(b)", knot);
  }
}

TEST_CASE("the simple law is chosen in 95 % when it holds, and the bent one when that does" *
          doctest::test_suite("release")) {
  for (const Scatter& scatter : {Scatter{.relative = 0.02, .given = true}, Scatter{.relative = 0.02},
                                 Scatter{.relative = 0.02, .given = false, .repeats = 3}}) {
    int simple = 0;
    int bent = 0;
    for (int set = 0; set < coverage_sets; ++set) {
      RandomStream stream = set_stream(8, static_cast<std::uint32_t>(set));
      simple += fit_service_law(measure(affine_truth, scatter, stream)).law == "affine" ? 1 : 0;
      if (set % 4 == 0) bent += fit_service_law(measure(bent_truth, scatter, stream)).law != "affine" ? 4 : 0;
    }
    // 95 %, less one and a half deviations of chance.
    CHECK(simple >= 0.94 * coverage_sets);
    CHECK(bent >= 0.95 * coverage_sets);
  }
}

TEST_CASE("a single outlier is named when it is one, and hardly ever when there is none" *
          doctest::test_suite("release")) {
  int false_alarms = 0;
  int named = 0;
  int alone = 0;
  for (int set = 0; set < coverage_sets; ++set) {
    RandomStream stream = set_stream(9, static_cast<std::uint32_t>(set));
    std::vector<FitPoint> points = measure(affine_truth, {.relative = 0.02, .repeats = 2}, stream);
    const Fit clean = fit_service_law(points);
    false_alarms += clean.used < points.size() ? 1 : 0;
    const auto guilty = static_cast<std::size_t>(stream.uniform() * static_cast<double>(points.size()));
    points[guilty].y *= 1.2;
    const Fit fit = fit_service_law(points);
    named += fit.residuals[guilty].outlier ? 1 : 0;
    alone += fit.residuals[guilty].outlier && fit.used + 1 == points.size() ? 1 : 0;
  }
  // 1 % by Bonferroni's bound for each of three laws, with three deviations of chance.
  CHECK(false_alarms <= 0.045 * coverage_sets);
  CHECK(named >= 0.95 * coverage_sets);
  CHECK(alone >= 0.85 * coverage_sets);
}

}  // namespace saturn
