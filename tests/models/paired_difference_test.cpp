#include "models/paired_difference.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/models/normal_numbers.hpp"

namespace saturn {

namespace {

ComparedNumber event_time(const std::vector<double>& a, const std::vector<double>& b,
                          Stopping stopping = Stopping::by_number) {
  return {"event time", "s", Better::less, paired_difference(a, b, Better::less, 0.95, stopping)};
}

}  // namespace

TEST_CASE("the difference of pairs is B less A, and the chance that A is better follows Student's law") {
  // Differences 1, 2, 3: mean 2, standard error 1/sqrt(3); P(t(2) < 2·sqrt(3)) = 0.96291.
  const ComparedNumber number = event_time({10.0, 20.0, 30.0}, {11.0, 22.0, 33.0});
  CHECK(number.paired.difference.mean == doctest::Approx(2.0));
  CHECK(number.paired.difference.high == doctest::Approx(2.0 + 4.302652730 / std::sqrt(3.0)));
  CHECK(*number.paired.a_better == doctest::Approx(0.96291).epsilon(1e-4));
  const PairedDifference rate =
      paired_difference(std::vector<double>{10.0, 20.0, 30.0}, std::vector<double>{11.0, 22.0, 33.0}, Better::more,
                        0.95, Stopping::by_width);
  // The wider interval changes nothing in the chance.
  CHECK(*rate.a_better == doctest::Approx(1.0 - 0.96291).epsilon(1e-3));
  CHECK(rate.difference.half_width() > number.paired.difference.half_width());
}

TEST_CASE("a certain difference decides, none is none, and one pair of drawn runs says nothing") {
  CHECK(decision_of(event_time({10.0, 11.0}, {9.0, 10.0}), 0.01) == Decision::b_better);
  CHECK(decision_of(event_time({10.0, 11.0}, {10.0, 11.0}), 0.01) == Decision::no_difference);
  CHECK(*event_time({10.0, 11.0}, {10.0, 11.0}).paired.a_better == 0.5);
  CHECK_FALSE(event_time({10.0}, {9.0}).paired.a_better.has_value());
  CHECK(decision_of(event_time({10.0}, {9.0}), 0.01) == Decision::undecided);
  const ComparedNumber certain = event_time({10.0}, {11.0}, Stopping::nothing_drawn);
  CHECK(certain.paired.difference.high == 1.0);
  CHECK(*certain.paired.a_better == 1.0);
  CHECK(decision_of(certain, 0.01) == Decision::a_better);
  CHECK(decision_of(certain, 0.2) == Decision::no_difference);
  CHECK_THROWS_AS(event_time({1.0}, {1.0, 2.0}), std::invalid_argument);
}

TEST_CASE("looking at 3, 8, 16 and 32 pairs finds a difference where there is none in 3 of 100 cases at most") {
  constexpr int trials = 3000;
  for (const double difference : {0.0, 0.5, 2.0}) {
    NormalNumbers normal(11);
    int found = 0;
    int wrong = 0;
    int held = 0;
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<double> a;
      std::vector<double> b;
      ComparedNumber number;
      for (const std::size_t pairs : {3u, 8u, 16u, 32u}) {
        while (a.size() < pairs) {
          a.push_back(1000.0);
          b.push_back(1000.0 + difference + normal.next());
        }
        number = event_time(a, b, Stopping::by_width);
        if (decision_of(number, 0.0) != Decision::undecided) break;
      }
      const Decision decision = decision_of(number, 0.0);
      found += decision != Decision::undecided;
      wrong += decision == Decision::b_better;
      held += number.paired.difference.low <= difference && difference <= number.paired.difference.high;
    }
    CAPTURE(difference);
    if (difference == 0.0) CHECK(found <= 0.03 * trials);
    if (difference > 0.0) CHECK(wrong <= 0.01 * trials);
    if (difference == 2.0) CHECK(found == trials);
    CHECK(held >= 0.93 * trials);
    CHECK(held <= 0.97 * trials);
  }
}

}  // namespace saturn
