#include "calibration/fit/value_fit.hpp"

#include <limits>

#include "calibration/fit/estimates.hpp"
#include "models/laws/distribution.hpp"
#include "scenarios/document/complaints.hpp"
#include "tests/calibration/synthetic.hpp"

namespace saturn {

namespace {

std::vector<double> gamma_times(int n, RandomStream& stream) {
  std::vector<double> times;
  for (int i = 0; i < n; ++i) times.push_back(sample(GammaTime{Seconds{110.0}, 0.2}, stream).value);
  return times;
}

}  // namespace

TEST_CASE("the gamma shape is where the likelihood is largest on a grid") {
  // Twenty times over three powers of ten. The oracle is the likelihood on a fine grid, far from Newton's method and
  // digammas.
  const std::vector<double> values{274, 28.5, 1.7,  20.8, 871,  363, 1311, 1661, 236, 828,
                                   458, 290,  54.9, 175,  1787, 970, 0.75, 1278, 776, 126};
  double mean = 0.0;
  double logs = 0.0;
  for (const double value : values) {
    mean += value / 20.0;
    logs += std::log(value);
  }
  double best = -1e300;
  for (double shape = 0.3; shape < 1.0; shape += 1e-5)
    best = std::max(best, 20.0 * (shape * std::log(shape / mean) - std::lgamma(shape) - shape) + (shape - 1.0) * logs);
  const TimeLaw law = fit_gamma(values);
  CHECK(law.log_likelihood == doctest::Approx(best).epsilon(1e-9));
  CHECK(law.parameters.values[0] == doctest::Approx(mean));
}

TEST_CASE("values that hardly differ still have their coefficient of variation") {
  const std::vector<double> values{100.0, 100.001, 99.999, 100.0005, 99.9995};
  const TimeLaw law = fit_gamma(values);
  CHECK(law.parameters.values[1] == doctest::Approx(sample_of(values).sd / 100.0).epsilon(1e-4));
}

TEST_CASE("the first event of a job is left out when it is far above the others, and others are only named") {
  RandomStream stream = set_stream(150, 0);
  std::vector<double> times = gamma_times(40, stream);
  times.front() = 2200.0;
  times[17] = 1500.0;
  const Fit fit = fit_times(times);
  CHECK(fit.used == 39);
  CHECK(has_note(fit, "The first event is an outlier and left out: 2.2e+03 s ("));
  CHECK(has_note(fit, "Value 18 stands far above the others: 1.5e+03 s ("));
}

TEST_CASE("first events are hardly ever left out when they are as the others") {
  int left_out = 0;
  for (int set = 0; set < coverage_sets; ++set) {
    RandomStream stream = set_stream(151, static_cast<std::uint32_t>(set));
    std::vector<double> times;
    for (int i = 0; i < 20; ++i) times.push_back(sample(LognormalTime{Seconds{10.0}, 1.0}, stream).value);
    left_out += fit_times(times).used < 20 ? 1 : 0;
  }
  CHECK(left_out <= 0.01 * coverage_sets);
}

TEST_CASE("one value, equal values and zeros are fitted as far as they go") {
  const Fit one = fit_times(std::vector{3.0});
  CHECK(one.law == "constant");
  CHECK(one.error_unknown);
  const Fit equal = fit_times(std::vector{3.0, 3.0, 3.0});
  CHECK(equal.law == "constant");
  CHECK(equal.parameters.values == std::vector{3.0});
  const Fit two = fit_times(std::vector{3.0, 4.0});
  CHECK(two.law == "gamma");
  CHECK(two.parameters.degrees_of_freedom == 1.0);
  const Fit zeros = fit_times(std::vector{0.0, 1.0, 2.0, 0.0, 3.0});
  CHECK(zeros.law == "empirical");
  CHECK(zeros.values == std::vector{0.0, 0.0, 1.0, 2.0, 3.0});
  CHECK(fit_mean(std::vector{3.0}).error_unknown);
  CHECK(fit_times_summary(3.0, std::nullopt, 10).law == "constant");
  CHECK(fit_times_summary(3.0, std::nullopt, 10).error_unknown);
}

TEST_CASE("many values are kept as 200 quantiles with their mean") {
  RandomStream stream = set_stream(152, 0);
  std::vector<double> times;
  for (int i = 0; i < 5000; ++i)
    times.push_back(stream.uniform() < 0.5 ? 1.0 + stream.uniform() : 10.0 + stream.uniform());
  const Fit fit = fit_times(times);
  REQUIRE(fit.law == "empirical");
  REQUIRE(fit.values.size() == 200);
  CHECK(sample_of(fit.values).mean == doctest::Approx(sample_of(times).mean));
  CHECK(sample_of(fit.values).sd == doctest::Approx(sample_of(times).sd).epsilon(0.02));
}

TEST_CASE("a mean comes with the values' spread") {
  const Fit fit = fit_mean(std::vector{11.8e-3, 11.9e-3, 11.7e-3, 12.6e-3});
  CHECK(fit.parameters.values[0] == doctest::Approx(12.0e-3));
  CHECK(fit.spread->least == 11.7e-3);
  CHECK(fit.spread->median == doctest::Approx(11.85e-3));
  CHECK(fit.spread->most == 12.6e-3);
}

TEST_CASE("times that are none are refused, all at once") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  try {
    fit_times(std::vector{1.0, -2.0, nan}, "times.csv");
    FAIL("accepted");
  } catch (const InputError& error) {
    REQUIRE(error.complaints().size() == 2);
    CHECK(error.complaints()[0].formatted() ==
          "times.csv: calibration.bad_value\n  Value 2 of 3 is -2; allowed are numbers not below 0 and of a size that "
          "is measured: take it out of the measurement.");
  }
  CHECK_THROWS_AS(fit_times(std::vector{1e-300, 1e300, 1.0}), InputError);
  const Fit wide = fit_times(std::vector{1e-90, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 1e90});
  CHECK(std::isfinite(interval(wide.parameters, 0, 0.95).high));
  CHECK_THROWS_AS(fit_times({}), InputError);
  CHECK_THROWS_AS(fit_times(std::vector{0.0, 0.0}), InputError);
  CHECK_THROWS_AS(fit_mean(std::vector{0.0}), InputError);
  CHECK_THROWS_AS(fit_times_summary(nan, 1.0, 3), InputError);
  CHECK_THROWS_AS(fit_times_summary(1.0, -1.0, 3), InputError);
  CHECK_THROWS_AS(fit_times_summary(1.0, 1.0, 0), InputError);
}

namespace {

std::vector<double> draw(const TimeDistribution& law, int n, RandomStream& stream) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(sample(law, stream).value);
  return values;
}

void check_law(std::uint32_t number, const TimeDistribution& truth, int n, TimeLaw (*fit)(std::span<const double>)) {
  check_coverage(number, [&](RandomStream& stream, Coverages& held) {
    const FittedParameters parameters = fit(draw(truth, n, stream)).parameters;
    held["mean"].add(interval(parameters, 0, 0.95), mean(truth).value);
    held["cv"].add(interval(parameters, 1, 0.95), std::sqrt(variance(truth)) / mean(truth).value);
  });
  CAPTURE(n);
  CAPTURE(number);
}

}  // namespace

TEST_CASE("intervals of gamma times hold the truth in 93 to 97 %" * doctest::test_suite("release")) {
  std::uint32_t number = 100;
  for (const double cv : {0.1, 0.5, 1.0})
    for (const int n : {10, 60}) check_law(number++, GammaTime{Seconds{110.0}, cv}, n, fit_gamma);
}

TEST_CASE("intervals of lognormal times hold the truth in 93 to 97 %" * doctest::test_suite("release")) {
  std::uint32_t number = 120;
  for (const double cv : {0.1, 0.5, 1.0})
    for (const int n : {10, 60}) check_law(number++, LognormalTime{Seconds{110.0}, cv}, n, fit_lognormal);
}

TEST_CASE("intervals hold the truth in 93 to 97 % with the law chosen from the data") {
  check_coverage(140, [&](RandomStream& stream, Coverages& held) {
    held["gamma"].add(fit_times(draw(GammaTime{Seconds{110.0}, 0.3}, 60, stream)), 0, 110.0);
    held["lognormal"].add(fit_times(draw(LognormalTime{Seconds{110.0}, 0.5}, 60, stream)), 0, 110.0);
  });
}

TEST_CASE("intervals of an empirical mean hold the truth in 93 to 97 %" * doctest::test_suite("release")) {
  int empirical = 0;
  check_coverage(141, [&](RandomStream& stream, Coverages& held) {
    // Two kinds of events: no single law describes them.
    std::vector<double> values = draw(GammaTime{Seconds{20.0}, 0.1}, 60, stream);
    for (double& value : values)
      if (stream.uniform() < 0.3) value *= 4.0;
    const Fit fit = fit_times(values);
    empirical += fit.law == "empirical" ? 1 : 0;
    held["mean"].add(fit, 0, 20.0 * (0.7 + 0.3 * 4.0));
  });
  CHECK(empirical >= 0.99 * coverage_sets);
}

TEST_CASE("intervals of means hold the truth in 93 to 97 %: normal, skewed and correlated values" *
          doctest::test_suite("release")) {
  check_coverage(142, [&](RandomStream& stream, Coverages& held) {
    std::vector<double> values(20);
    for (double& value : values) value = 10.0 + standard_normal(stream);
    held["normal"].add(fit_mean(values), 0, 10.0);
    // A round trip has a least time and a tail above it.
    std::vector<double> trips = draw(ExponentialTime{Seconds{1e-3}}, 40, stream);
    for (double& trip : trips) trip += 11e-3;
    held["skewed"].add(fit_mean(trips), 0, 12e-3);
    std::vector<double> rates(60);
    double before = standard_normal(stream);
    for (double& rate : rates) {
      before = 0.5 * before + std::sqrt(0.75) * standard_normal(stream);
      rate = 1e9 * (1.0 + 0.05 * before);
    }
    held["correlated"].add(fit_mean(rates), 0, 1e9);
  });
}

TEST_CASE("intervals of a summary hold the truth in 93 to 97 %" * doctest::test_suite("release")) {
  check_coverage(143, [&](RandomStream& stream, Coverages& held) {
    const std::vector<double> values = draw(GammaTime{Seconds{110.0}, 0.3}, 100, stream);
    const Fit whole = fit_times(values);
    const Fit fit = fit_times_summary(fit_mean(values).parameters.values[0], whole.spread->sd, values.size());
    held["mean"].add(fit, 0, 110.0);
    held["cv"].add(fit, 1, 0.3);
  });
}

}  // namespace saturn
