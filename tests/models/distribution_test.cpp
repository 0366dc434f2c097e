#include "models/laws/distribution.hpp"

#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/distributions/uniform.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/laws/service_law.hpp"
#include "models/laws/worker_nodes.hpp"
#include "models/results/run_outcome.hpp"

namespace saturn {

TEST_CASE("a table of counts has the mean and the variance of its law, and weights that add up to 1") {
  struct Case {
    CountDistribution counts;
    double mean;
    double variance;
    double tolerance;
  };
  const Case cases[] = {{CountDistribution::poisson(0.01), 0.01, 0.01, 1e-12},
                        {CountDistribution::poisson(17.5), 17.5, 17.5, 1e-12},
                        {CountDistribution::poisson(1e6), 1e6, 1e6, 1e-9},
                        {CountDistribution::geometric(3.0), 3.0, 12.0, 1e-11},
                        {CountDistribution::geometric(1000.0), 1000.0, 1001000.0, 1e-9},
                        {CountDistribution::values({1, 2, 2, 7}), 3.0, 5.5, 1e-12},
                        {CountDistribution(5), 5.0, 0.0, 1e-12},
                        // Quantiles stop short of the tail, and are rounded.
                        {CountDistribution::lognormal(100.0, 0.5), 100.0, 2500.0, 0.01},
                        {CountDistribution::lognormal(1000.0, 1.0), 1000.0, 1e6, 0.06}};
  for (const Case& c : cases) {
    CAPTURE(c.mean);
    double sum = 0.0;
    for (const CountWeight& entry : c.counts.table()) sum += entry.weight;
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-12));
    CHECK(c.counts.mean() == doctest::Approx(c.mean).epsilon(c.tolerance));
    CHECK(c.counts.variance() == doctest::Approx(c.variance).epsilon(c.tolerance));
  }
}

TEST_CASE("the Poisson table has Poisson's probabilities") {
  const boost::math::poisson_distribution<double> law(17.5);
  const CountDistribution counts = CountDistribution::poisson(17.5);
  for (const CountWeight& entry : counts.table())
    CHECK(entry.weight == doctest::Approx(boost::math::pdf(law, static_cast<double>(entry.count))).epsilon(1e-12));
}

TEST_CASE("a uniform number stands for the count whose part of the unit interval it falls into") {
  const CountDistribution counts = CountDistribution::values({4, 0, 0, 9});
  CHECK(counts.smallest() == 0);
  CHECK(counts.largest() == 9);
  CHECK(counts.at(1e-16) == 0);
  CHECK(counts.at(0.499) == 0);
  CHECK(counts.at(0.501) == 4);
  CHECK(counts.at(0.749) == 4);
  CHECK(counts.at(0.751) == 9);
  CHECK(counts.at(1.0 - 1e-16) == 9);
  CHECK(CountDistribution(7).at(0.5) == 7);
}

TEST_CASE("parameters that make no distribution of counts are refused") {
  CHECK_THROWS_AS(CountDistribution::poisson(0.0), std::invalid_argument);
  CHECK_THROWS_AS(CountDistribution::geometric(1001.0), std::invalid_argument);
  CHECK_THROWS_AS(CountDistribution::lognormal(10.0, 0.0), std::invalid_argument);
  CHECK_THROWS_AS(CountDistribution::values({}), std::invalid_argument);
}

TEST_CASE("jobs have the middle quantiles of the speeds, in turn the listed ones, and are all accounted for") {
  const auto classes = [](const WorkerSpeed& speed, std::uint64_t jobs) { return speed_classes(speed, jobs); };
  const auto uniform = classes(UniformSpeed{0.8, 1.2}, 4);
  REQUIRE(uniform.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(uniform[i].speed == doctest::Approx(0.85 + 0.1 * static_cast<double>(i)));
    CHECK(uniform[i].jobs == 1);
  }
  const auto listed = classes(ListedSpeeds{{0.5, 1.0, 2.0}}, 8);
  REQUIRE(listed.size() == 3);
  CHECK(listed[0].jobs == 3);
  CHECK(listed[1].jobs == 3);
  CHECK(listed[2].jobs == 2);
  CHECK(classes(ListedSpeeds{{0.5, 1.0, 2.0}}, 2).size() == 2);
  const auto many = classes(LognormalSpeed{1.1, 0.2}, 2500);
  CHECK(many.size() == 1000);
  std::uint64_t jobs = 0;
  double sum = 0.0;
  for (const SpeedClass& one : many) {
    jobs += one.jobs;
    sum += static_cast<double>(one.jobs) * one.speed;
  }
  CHECK(jobs == 2500);
  CHECK(sum / 2500 == doctest::Approx(1.1).epsilon(1e-3));
  CHECK(many[499].speed < 1.1 / std::sqrt(1.04));
  CHECK(many[500].speed > 1.1 / std::sqrt(1.04));
  CHECK_THROWS_AS(classes(ConstantSpeed{0.0}, 3), std::invalid_argument);
  CHECK_THROWS_AS(classes(ConstantSpeed{1.0}, 0), std::invalid_argument);
}

namespace {

constexpr std::size_t most_draws = 20000;
// Two-sided limits that a right sampler passes with probability 1 - 1e-4 each; the seed is fixed, so that a pass stays.
constexpr double normal_limit = 3.891;
constexpr double kolmogorov_limit = 2.226;  // sqrt(ln(2/1e-4)/2)

std::vector<double> sorted_sample(const TimeDistribution& time, std::uint32_t entity) {
  RandomStream stream(20201124, 0, entity, Purpose::service);
  std::vector<double> values;
  for (std::size_t i = 0; i < most_draws; ++i) values.push_back(sample(time, stream).value);
  std::sort(values.begin(), values.end());
  return values;
}

double kolmogorov_statistic(const std::vector<double>& sorted, const std::function<double(double)>& cdf) {
  const auto n = static_cast<double>(sorted.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double f = cdf(sorted[i]);
    largest = std::max({largest, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  return std::sqrt(n) * largest;
}

/// Compares mean, variance and the whole distribution of a sampler with Boost.Math's distribution.
template <class Law>
void check_against(const TimeDistribution& time, const Law& law, std::uint32_t entity) {
  CHECK(mean(time).value == doctest::Approx(boost::math::mean(law)).epsilon(1e-12));
  CHECK(variance(time) == doctest::Approx(boost::math::variance(law)).epsilon(1e-12));
  const std::vector<double> values = sorted_sample(time, entity);
  const auto n = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double x : values) sum += x;
  const double centre = sum / n;
  double second = 0.0;
  double fourth = 0.0;
  for (const double x : values) {
    second += std::pow(x - boost::math::mean(law), 2) / n;
    fourth += std::pow(x - boost::math::mean(law), 4) / n;
  }
  CHECK(std::abs(centre - boost::math::mean(law)) < normal_limit * std::sqrt(boost::math::variance(law) / n));
  CHECK(std::abs(second - boost::math::variance(law)) < normal_limit * std::sqrt((fourth - second * second) / n));
  CHECK(kolmogorov_statistic(values, [&](double x) { return boost::math::cdf(law, x); }) < kolmogorov_limit);
}

boost::math::gamma_distribution<> gamma_law(double mean, double cv) {
  return {1 / (cv * cv), mean * cv * cv};
}

boost::math::lognormal_distribution<> lognormal_law(double mean, double cv) {
  const double spread = std::log1p(cv * cv);
  return {std::log(mean) - spread / 2, std::sqrt(spread)};
}

}  // namespace

TEST_CASE("exponential times follow the exponential law") {
  check_against(ExponentialTime{Seconds{2.75}}, boost::math::exponential_distribution<>(1 / 2.75), 1);
}

TEST_CASE("gamma times follow the gamma law, also with a shape below one") {
  check_against(GammaTime{Seconds{110.0}, 0.2}, gamma_law(110.0, 0.2), 2);
  check_against(GammaTime{Seconds{0.0118}, 1.0}, gamma_law(0.0118, 1.0), 3);
  check_against(GammaTime{Seconds{3.0}, 1.8}, gamma_law(3.0, 1.8), 4);
}

TEST_CASE("lognormal times follow the lognormal law with the mean of the time itself") {
  check_against(LognormalTime{Seconds{110.0}, 0.2}, lognormal_law(110.0, 0.2), 5);
  check_against(LognormalTime{Seconds{1.77}, 0.9}, lognormal_law(1.77, 0.9), 6);
}

TEST_CASE("uniform times follow the uniform law") {
  check_against(UniformTime{Seconds{1.0}, Seconds{4.0}}, boost::math::uniform_distribution<>(1.0, 4.0), 7);
}

TEST_CASE("empirical times take each listed value equally often") {
  const EmpiricalTime time{{Seconds{1.0}, Seconds{2.0}, Seconds{2.5}, Seconds{8.0}}};
  CHECK(mean(time).value == doctest::Approx(13.5 / 4));
  CHECK(variance(time) == doctest::Approx((1.0 + 4.0 + 6.25 + 64.0) / 4 - 13.5 * 13.5 / 16));
  std::map<double, double> counts;
  for (const double x : sorted_sample(time, 8)) counts[x] += 1.0;
  REQUIRE(counts.size() == 4);
  double chi_squared = 0.0;
  for (const auto& [value, count] : counts) chi_squared += std::pow(count - most_draws / 4.0, 2) / (most_draws / 4.0);
  CHECK(chi_squared < 21.11);  // 1 - 1e-4 quantile with 3 degrees of freedom
}

TEST_CASE("a constant time is drawn without touching the stream") {
  RandomStream stream(1, 0, 0, Purpose::service);
  RandomStream untouched = stream;
  CHECK(sample(ConstantTime{Seconds{7.0}}, stream).value == 7.0);
  CHECK(stream.uniform() == untouched.uniform());
}

TEST_CASE("constant and exponential service is recognised whichever way it is written") {
  CHECK(is_constant(UniformTime{Seconds{2.0}, Seconds{2.0}}));
  CHECK(is_constant(EmpiricalTime{{Seconds{2.0}, Seconds{2.0}}}));
  CHECK_FALSE(is_constant(EmpiricalTime{{Seconds{2.0}, Seconds{3.0}}}));
  CHECK(is_exponential(GammaTime{Seconds{2.0}, 1.0}));
  CHECK_FALSE(is_exponential(LognormalTime{Seconds{2.0}, 1.0}));
  const TimeDistribution none = ConstantTime{Seconds{0.0}};
  const TimeDistribution one = ConstantTime{Seconds{1.0}};
  const TimeDistribution random = ExponentialTime{Seconds{1.0}};
  CHECK(is_exponential(ServiceLaw{.per_batch = none, .per_item = random}));
  CHECK(is_exponential(ServiceLaw{.per_batch = random, .per_item = none}));
  CHECK_FALSE(is_exponential(ServiceLaw{.per_batch = one, .per_item = random}));
  CHECK_FALSE(is_exponential(ServiceLaw{.per_batch = random, .per_item = random}));
}

TEST_CASE("a duration that is found under way is drawn with its length as weight and cut at any point of it") {
  // Mean of the whole E[T²]/E[T], of what is left half of it, and P(left > t) = ∫ P(T > x) dx / E[T] over x > t.
  const std::vector<TimeDistribution> laws = {ExponentialTime{Seconds{2.0}},
                                              GammaTime{Seconds{2.0}, 0.5},
                                              GammaTime{Seconds{2.0}, 1.5},
                                              LognormalTime{Seconds{2.0}, 0.8},
                                              UniformTime{Seconds{1.0}, Seconds{3.0}},
                                              EmpiricalTime{{Seconds{1.0}, Seconds{1.0}, Seconds{4.0}}},
                                              ConstantTime{Seconds{2.0}}};
  for (std::uint32_t law = 0; law < laws.size(); ++law) {
    CAPTURE(law);
    const double mean_s = mean(laws[law]).value;
    const double whole_s = mean_s + variance(laws[law]) / mean_s;
    const std::vector<double> plain = sorted_sample(laws[law], 100 + law);
    RandomStream stream(20201124, 0, 200 + law, Purpose::service);
    constexpr double t = 1.5;
    double whole = 0.0;
    double squares = 0.0;
    double left = 0.0;
    double longer = 0.0;
    for (std::size_t i = 0; i < most_draws; ++i) {
      const TimeUnderWay time = sample_under_way(laws[law], stream);
      whole += time.whole().value / most_draws;
      squares += time.whole().value * time.whole().value / most_draws;
      left += time.left.value / most_draws;
      longer += (time.left.value > t ? 1.0 : 0.0) / most_draws;
    }
    double beyond = 0.0;
    for (const double x : plain) beyond += std::max(0.0, x - t) / most_draws / mean_s;
    const double error_s = std::sqrt((squares - whole * whole) / most_draws);
    CHECK(std::abs(whole - whole_s) <= normal_limit * error_s + 1e-9);
    CHECK(std::abs(left - whole_s / 2) <= normal_limit * std::sqrt(squares / 3 / most_draws));
    CHECK(std::abs(longer - beyond) <= 0.02);
  }
}

}  // namespace saturn
