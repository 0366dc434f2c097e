#include "models/statistics/intervals.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "tests/models/normal_numbers.hpp"

using namespace saturn;

namespace {

std::vector<double> counted(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

RankCorrelation against_order(const std::vector<double>& y) {
  const auto found = spearman(counted(y.size()), y);
  REQUIRE(found.has_value());
  return *found;
}

}  // namespace

TEST_CASE("the counted chance of a rank correlation crosses 5 % at the tabled critical values") {
  // Beside each order that has the critical rho, one that has the next smaller rho which so many ranks can have.
  // Source: critical values of Spearman's rho, two-sided 5 %, J. H. Zar, J. Am. Stat. Assoc. 67 (1972) 578.
  struct Row {
    double critical_rho;
    std::vector<double> critical;
    std::vector<double> below;
  };
  const std::vector<Row> table{{1.000, {1, 2, 3, 4, 5}, {2, 1, 3, 4, 5}},
                               {0.886, {1, 2, 4, 3, 6, 5}, {1, 2, 3, 5, 6, 4}},
                               {0.786, {1, 2, 3, 5, 6, 7, 4}, {1, 2, 3, 5, 7, 6, 4}},
                               {0.738, {1, 2, 3, 5, 6, 8, 7, 4}, {1, 2, 3, 5, 8, 7, 4, 6}},
                               {0.700, {1, 2, 3, 4, 8, 9, 6, 7, 5}, {1, 2, 3, 4, 8, 9, 7, 6, 5}}};
  for (const Row& row : table) {
    CAPTURE(row.critical.size());
    const RankCorrelation at = against_order(row.critical);
    CHECK(std::abs(at.rho - row.critical_rho) < 0.0005);
    CHECK(at.p_value <= 0.05);
    CHECK(against_order(row.below).p_value > 0.05);
  }
}

TEST_CASE("a perfect order has the chance of two orders among all, rising or falling") {
  const RankCorrelation rising = against_order({2, 3, 5, 7, 11, 13});
  CHECK(rising.rho == doctest::Approx(1.0));
  CHECK(rising.p_value == doctest::Approx(2.0 / 720));
  const RankCorrelation falling = against_order({6, 5, 4, 3, 2, 1});
  CHECK(falling.rho == doctest::Approx(-1.0));
  CHECK(falling.p_value == rising.p_value);
}

TEST_CASE("ten values are judged by Student's t, as in the textbook example of IQ and hours of television") {
  // Source: Wikipedia, "Spearman's rank correlation coefficient": rho = -29/165, p = 0.627188.
  const std::vector<double> intelligence{106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
  const std::vector<double> television{7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
  const auto found = spearman(intelligence, television);
  REQUIRE(found.has_value());
  CHECK(found->rho == doctest::Approx(-29.0 / 165));
  CHECK(found->p_value == doctest::Approx(0.627188).epsilon(1e-6));
}

TEST_CASE("equal values share their mean rank, and a series of equal values has no order") {
  // Ranks of {1, 1, 2, 3} are 1.5, 1.5, 3, 4: rho = 4.5 / sqrt(4.5 x 5); four of the 24 orders are as extreme.
  const RankCorrelation tied = against_order({1, 1, 2, 3});
  CHECK(tied.rho == doctest::Approx(4.5 / std::sqrt(22.5)));
  CHECK(tied.p_value == doctest::Approx(4.0 / 24));
  CHECK(!spearman(counted(4), std::vector<double>(4, 7.0)).has_value());
  CHECK(!spearman(counted(2), counted(2)).has_value());
  CHECK_THROWS_AS(spearman(counted(4), counted(5)), std::invalid_argument);
}

namespace saturn {

TEST_CASE("the interval of three values is Student's with two degrees of freedom") {
  const Estimate e = student_interval(std::vector<double>{9.0, 10.0, 11.0}, 0.95);
  // t(2; 0.975) = 4.30265, and the standard error is 1/sqrt(3).
  CHECK(e.mean == doctest::Approx(10.0));
  CHECK(e.high - e.mean == doctest::Approx(4.302652730 / std::sqrt(3.0)).epsilon(1e-9));
  CHECK(e.low == doctest::Approx(10.0 - 4.302652730 / std::sqrt(3.0)).epsilon(1e-9));
  CHECK(e.replications == 3);
  CHECK(e.confidence == 0.95);
}

TEST_CASE("95 % intervals of normal samples cover the mean in 95 % of the cases") {
  // 4000 intervals: a right one fails this band, 3.89 binomial standard deviations wide, once in 10,000 seeds.
  const int trials = 4000;
  const double band = 3.891 * std::sqrt(0.95 * 0.05 / trials);
  for (const std::size_t replications : {3u, 8u}) {
    NormalNumbers normal(static_cast<std::uint32_t>(replications));
    int covered = 0;
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<double> values;
      for (std::size_t i = 0; i < replications; ++i) values.push_back(122.0 + 5.0 * normal.next());
      const Estimate e = student_interval(values, 0.95);
      covered += e.low <= 122.0 && 122.0 <= e.high;
    }
    CHECK(std::abs(covered / static_cast<double>(trials) - 0.95) < band);
  }
}

TEST_CASE("batch means of an autocorrelated series hold its mean in 93 to 97 of 100 cases, in long and short windows") {
  // AR(1) with coefficient 0.9, 20 batches of 10 and of 2.5 correlation times each. The raw standard error is too small
  // by a factor of 4.4, that of short batches as they are by 1.2.
  for (const int length : {4000, 1000}) {
    const int trials = 1500;
    int covered = 0;
    NormalNumbers normal(77);
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<double> series;
      double deviation = normal.next() / std::sqrt(1.0 - 0.81);
      double mean = 0.0;
      for (int i = 0; i < length; ++i) {
        series.push_back(100.0 + deviation);
        mean += series.back() / length;
        deviation = 0.9 * deviation + normal.next();
      }
      const double half = batch_means_relative_width(in_batches(series), 0.95) * mean;
      covered += std::abs(mean - 100.0) <= half;
    }
    CAPTURE(length);
    CHECK(covered >= 0.93 * trials);
    CHECK(covered <= 0.97 * trials);
  }
}

TEST_CASE("slices count by their events, and one without events not at all") {
  std::vector<double> series;
  std::vector<double> events;
  for (int i = 0; i < 40; ++i) {
    // The first of each batch of two carries no event.
    series.push_back(i % 2 == 0 ? 1e6 : i % 4 == 1 ? 109.0 : 111.0);
    events.push_back(i % 2 == 0 ? 0.0 : 3.0);
  }
  // Ten batches of 109 and ten of 111, in turn: standard error sqrt(20/19)/sqrt(20), t(19; 0.975) = 2.093024.
  CHECK(batch_means_relative_width(in_batches(series, events), 0.95) ==
        doctest::Approx(2.093024054 / std::sqrt(19.0) / 110.0).epsilon(1e-9));
  CHECK(std::isinf(batch_means_relative_width(in_batches(series, std::vector<double>(40, 0.0)), 0.95)));
  CHECK_THROWS_AS(in_batches(series, std::vector<double>{1.0}), std::invalid_argument);
}

TEST_CASE("95 % intervals of a ratio cover it in 95 % of the cases, however much the pairs have in common") {
  // Numerator and denominator share a large part, as runs with the same random numbers do: the ratio is 1.02.
  const int trials = 4000;
  const double band = 3.891 * std::sqrt(0.95 * 0.05 / trials);
  NormalNumbers normal(5);
  int covered = 0;
  double width = 0.0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> above;
    std::vector<double> below;
    for (int i = 0; i < 6; ++i) {
      const double common = 100.0 + 5.0 * normal.next();
      below.push_back(common + 0.1 * normal.next());
      above.push_back(1.02 * (common + 0.1 * normal.next()));
    }
    const Estimate e = ratio_interval(above, below, 0.95);
    covered += e.low <= 1.02 && 1.02 <= e.high;
    width += e.half_width() / trials;
  }
  CHECK(std::abs(covered / static_cast<double>(trials) - 0.95) < band);
  // What remains is the noise of 0.1 on either side: t(5; 0.975) · 1.02 · 0.001·√2 / √6, not the common 5 %.
  CHECK(width == doctest::Approx(2.5706 * 1.02 * 1e-3 * std::sqrt(2.0 / 6.0)).epsilon(0.1));
}

TEST_CASE("a ratio is that of the sums, exact where all pairs have it") {
  const Estimate e = ratio_interval(std::vector<double>{10.0, 2.0}, std::vector<double>{1.0, 3.0}, 0.95);
  CHECK(e.mean == doctest::Approx(3.0));
  const Estimate exact = ratio_interval(std::vector<double>{2.0, 6.0}, std::vector<double>{1.0, 3.0}, 0.95);
  CHECK(exact.mean == doctest::Approx(2.0));
  CHECK(exact.half_width() == doctest::Approx(0.0));
  CHECK_THROWS_AS(ratio_interval(std::vector<double>{1.0}, std::vector<double>{1.0, 2.0}, 0.95), std::invalid_argument);
  CHECK_THROWS_AS(ratio_interval(std::vector<double>{1.0}, std::vector<double>{0.0}, 0.95), std::invalid_argument);
}

TEST_CASE("equal values with noise are called unequal once in a hundred times, and a slope nearly always") {
  NormalNumbers normal(17);
  constexpr int fields = 2000;
  constexpr int cells = 25;
  int unequal = 0;
  int seen = 0;
  for (int field = 0; field < fields; ++field) {
    std::vector<Estimate> flat;
    std::vector<Estimate> sloping;
    for (int i = 0; i < cells; ++i) {
      const double noise = normal.next();
      const double slope = 6.0 * i / cells;
      flat.push_back({.mean = noise, .low = noise - 1.96, .high = noise + 1.96});
      sloping.push_back({.mean = noise + slope, .low = noise + slope - 1.96, .high = noise + slope + 1.96});
    }
    unequal += may_all_be_equal(flat) ? 0 : 1;
    seen += may_all_be_equal(sloping) ? 0 : 1;
  }
  // Binomial: 20 of 2000 expected, 4.4 their deviation.
  CHECK(unequal > 4);
  CHECK(unequal < 38);
  CHECK(seen > 0.98 * fields);
  const std::vector<Estimate> exact{{.mean = 1.0, .low = 1.0, .high = 1.0}, {.mean = 2.0, .low = 1.0, .high = 3.0}};
  CHECK_FALSE(may_all_be_equal(exact));
  CHECK_FALSE(may_all_be_equal(std::span(exact).subspan(1)));
}

TEST_CASE("one value says nothing about its spread") {
  const Estimate e = student_interval(std::vector<double>{5.0}, 0.95);
  CHECK(e.mean == 5.0);
  CHECK(std::isinf(e.half_width()));
  CHECK(std::isinf(batch_means_relative_width(in_batches(std::vector<double>{5.0}), 0.95)));
}

TEST_CASE("intervals refuse no values and impossible confidences") {
  CHECK_THROWS_WITH_AS(student_interval({}, 0.95), "student_interval: no values", std::invalid_argument);
  for (const double confidence : {0.0, 1.0, std::nan("")}) {
    CHECK_THROWS_WITH_AS(student_interval(std::vector<double>{1.0, 2.0}, confidence),
                         "student_interval: the confidence lies between 0 and 1", std::invalid_argument);
  }
}

}  // namespace saturn
