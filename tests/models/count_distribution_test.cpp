#include "models/count_distribution.hpp"

#include <boost/math/distributions/poisson.hpp>
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "models/worker_speed.hpp"

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

}  // namespace saturn
