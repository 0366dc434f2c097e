#include "calibration/fit/service_fit.hpp"
#include "tests/calibration/synthetic.hpp"

namespace saturn {

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
  Coverage per_batch;
  Coverage per_item;
  for (int set = 0; set < coverage_sets; ++set) {
    RandomStream stream = set_stream(law, static_cast<std::uint32_t>(set));
    const Fit fit = fit_law(measure(affine_truth, scatter, stream));
    per_batch.add(fit, 0, 1.2e-3);
    per_item.add(fit, 1, 3e-5);
  }
  check_coverage("per_batch", per_batch);
  check_coverage("per_item", per_item);
}

}  // namespace

TEST_CASE(
    "intervals of the affine law hold the truth in 93 to 97 % when errors are given, and when they are estimated") {
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

TEST_CASE("intervals of the piecewise law hold the truth in 93 to 97 %") {
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

TEST_CASE("intervals of two segments hold the truth in 93 to 97 %, the knot being searched for") {
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

TEST_CASE("the simple law is chosen in 95 % when it holds, and the bent one when that does") {
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

TEST_CASE("a single outlier is named when it is one, and hardly ever when there is none") {
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
