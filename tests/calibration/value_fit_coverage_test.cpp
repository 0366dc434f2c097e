#include "calibration/fit/estimates.hpp"
#include "calibration/fit/time_laws.hpp"
#include "calibration/fit/value_fit.hpp"
#include "models/distribution.hpp"
#include "tests/calibration/synthetic.hpp"

namespace saturn {

namespace {

std::vector<double> draw(const TimeDistribution& law, int n, RandomStream& stream) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(sample(law, stream).value);
  return values;
}

void check_law(std::uint32_t number, const TimeDistribution& truth, int n, TimeLaw (*fit)(std::span<const double>)) {
  Coverage mean_held;
  Coverage cv_held;
  for (int set = 0; set < coverage_sets; ++set) {
    RandomStream stream = set_stream(number, static_cast<std::uint32_t>(set));
    const FittedParameters parameters = fit(draw(truth, n, stream)).parameters;
    mean_held.add(interval(parameters, 0, 0.95), mean(truth).value);
    cv_held.add(interval(parameters, 1, 0.95), std::sqrt(variance(truth)) / mean(truth).value);
  }
  CAPTURE(n);
  CAPTURE(number);
  check_coverage("mean", mean_held);
  check_coverage("cv", cv_held);
}

}  // namespace

TEST_CASE("intervals of gamma times hold the truth in 93 to 97 %") {
  std::uint32_t number = 100;
  for (const double cv : {0.1, 0.5, 1.0})
    for (const int n : {10, 60}) check_law(number++, GammaTime{Seconds{110.0}, cv}, n, fit_gamma);
}

TEST_CASE("intervals of lognormal times hold the truth in 93 to 97 %") {
  std::uint32_t number = 120;
  for (const double cv : {0.1, 0.5, 1.0})
    for (const int n : {10, 60}) check_law(number++, LognormalTime{Seconds{110.0}, cv}, n, fit_lognormal);
}

TEST_CASE("intervals hold the truth in 93 to 97 % with the law chosen from the data") {
  Coverage gamma;
  Coverage lognormal;
  for (int set = 0; set < coverage_sets; ++set) {
    RandomStream stream = set_stream(140, static_cast<std::uint32_t>(set));
    gamma.add(fit_times(draw(GammaTime{Seconds{110.0}, 0.3}, 60, stream)), 0, 110.0);
    lognormal.add(fit_times(draw(LognormalTime{Seconds{110.0}, 0.5}, 60, stream)), 0, 110.0);
  }
  check_coverage("gamma", gamma);
  check_coverage("lognormal", lognormal);
}

TEST_CASE("intervals of an empirical mean hold the truth in 93 to 97 %") {
  Coverage held;
  int empirical = 0;
  for (int set = 0; set < coverage_sets; ++set) {
    RandomStream stream = set_stream(141, static_cast<std::uint32_t>(set));
    // Two kinds of events: no single law describes them.
    std::vector<double> values = draw(GammaTime{Seconds{20.0}, 0.1}, 60, stream);
    for (double& value : values)
      if (stream.uniform() < 0.3) value *= 4.0;
    const Fit fit = fit_times(values);
    empirical += fit.law == "empirical" ? 1 : 0;
    held.add(fit, 0, 20.0 * (0.7 + 0.3 * 4.0));
  }
  CHECK(empirical >= 0.99 * coverage_sets);
  check_coverage("mean", held);
}

TEST_CASE("intervals of means hold the truth in 93 to 97 %: normal, skewed and correlated values") {
  Coverage normal;
  Coverage skewed;
  Coverage correlated;
  for (int set = 0; set < coverage_sets; ++set) {
    RandomStream stream = set_stream(142, static_cast<std::uint32_t>(set));
    std::vector<double> values(20);
    for (double& value : values) value = 10.0 + standard_normal(stream);
    normal.add(fit_mean(values), 0, 10.0);
    // A round trip has a least time and a tail above it.
    std::vector<double> trips = draw(ExponentialTime{Seconds{1e-3}}, 40, stream);
    for (double& trip : trips) trip += 11e-3;
    skewed.add(fit_mean(trips), 0, 12e-3);
    std::vector<double> rates(60);
    double before = standard_normal(stream);
    for (double& rate : rates) {
      before = 0.5 * before + std::sqrt(0.75) * standard_normal(stream);
      rate = 1e9 * (1.0 + 0.05 * before);
    }
    correlated.add(fit_mean(rates), 0, 1e9);
  }
  check_coverage("normal", normal);
  check_coverage("skewed", skewed);
  check_coverage("correlated", correlated);
}

TEST_CASE("intervals of a summary hold the truth in 93 to 97 %") {
  Coverage mean_held;
  Coverage cv_held;
  for (int set = 0; set < coverage_sets; ++set) {
    RandomStream stream = set_stream(143, static_cast<std::uint32_t>(set));
    const std::vector<double> values = draw(GammaTime{Seconds{110.0}, 0.3}, 100, stream);
    const Fit whole = fit_times(values);
    const Fit fit = fit_times_summary(fit_mean(values).parameters.values[0], whole.spread->sd, values.size());
    mean_held.add(fit, 0, 110.0);
    cv_held.add(fit, 1, 0.3);
  }
  check_coverage("mean", mean_held);
  check_coverage("cv", cv_held);
}

}  // namespace saturn
