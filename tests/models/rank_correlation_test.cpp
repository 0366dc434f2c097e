#include "models/rank_correlation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

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
