#include "models/statistics/paired_comparison.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/statistics/intervals.hpp"
#include "tests/models/normal_numbers.hpp"

namespace saturn {

namespace {

RunOutcome run_of(double event_time_s, double latency_s, std::uint64_t requests = 100) {
  RunOutcome run;
  JobsOutcome jobs;
  jobs.name = "reco";
  jobs.events_per_s = 50.0 / event_time_s;
  jobs.event_time = {.count = 10, .mean_s = event_time_s, .p50_s = 0, .p95_s = 0, .p99_s = 0, .max_s = 0};
  run.jobs = {jobs};
  ModelOutcome called;
  called.name = "called";
  called.latency = {
      .count = requests, .mean_s = latency_s, .p50_s = 0, .p95_s = 0, .p99_s = 3 * latency_s, .max_s = 9 * latency_s};
  ModelOutcome other;
  other.name = "other";
  other.latency = {.count = 300, .mean_s = 1.0, .p50_s = 0, .p95_s = 0, .p99_s = 1.0, .max_s = 1.0};
  run.models = {other, called};
  return run;
}

}  // namespace

TEST_CASE("a change that is the same in every pair is certain, however much the pairs differ among themselves") {
  std::vector<RunOutcome> original;
  std::vector<RunOutcome> variant;
  for (const double luck : {0.7, 1.0, 1.3, 1.1}) {
    original.push_back(run_of(100.0 * luck, 2.0 * luck));
    variant.push_back(run_of(80.0 * luck, 1.0 * luck));
  }
  const PairedChange change = paired_change(original, variant, {"called"}, {}, 0.95);
  CHECK(change.event_time.mean == doctest::Approx(-0.2));
  CHECK(change.event_time.half_width() == doctest::Approx(0.0));
  CHECK(change.events_per_s.mean == doctest::Approx(0.25));
  REQUIRE(change.latency.has_value());
  CHECK(change.latency->mean == doctest::Approx(-0.5));
  CHECK(change.latency_p99->mean == doctest::Approx(-0.5));
  CHECK(verdict_of(change.events_per_s) == Verdict::gains);
  CHECK(verdict_of(change.event_time) == Verdict::loses);
  // Against itself nothing differs, not even by rounding.
  const PairedChange none = paired_change(original, original, {"called"}, {}, 0.95);
  CHECK(none.events_per_s.mean == 0.0);
  CHECK(verdict_of(none.events_per_s) == Verdict::no_difference);
}

TEST_CASE("events whose requests are refused are no gain, unless the job's own core does their work") {
  std::vector<RunOutcome> refusing = {run_of(8.0, 1.0), run_of(8.0, 1.0)};
  for (RunOutcome& run : refusing) {
    run.models[1].requests_per_s = 30.0;
    run.models[1].rejected_per_s = 10.0;
  }
  const std::vector<RunOutcome> serving = {run_of(10.0, 1.0), run_of(10.0, 1.0)};
  // 50/8 events/s, of which three in four are served, become 50/10, all served.
  const PairedChange change = paired_change(refusing, serving, {"called"}, {refusing[0].models[1].name}, 0.95);
  CHECK(change.events_per_s.mean == doctest::Approx(5.0 / (6.25 * 0.75) - 1.0));
  CHECK(verdict_of(change.events_per_s) == Verdict::gains);
  CHECK(paired_change(refusing, serving, {"called"}, {}, 0.95).events_per_s.mean == doctest::Approx(5.0 / 6.25 - 1.0));
}

TEST_CASE(
    "of several models the mean latency is that of all requests, the 99 % that of the slowest, of none there is none") {
  const std::vector<RunOutcome> original = {run_of(10.0, 5.0), run_of(10.0, 5.0)};
  const std::vector<RunOutcome> variant = {run_of(10.0, 2.0), run_of(10.0, 2.0)};
  const PairedChange both = paired_change(original, variant, {"called", "other"}, {}, 0.95);
  // (100·5 + 300·1)/400 = 2 s becomes (100·2 + 300·1)/400 = 1.25 s.
  CHECK(both.latency->mean == doctest::Approx(1.25 / 2.0 - 1.0));
  // 15 s of "called", where "other" has 1 s, becomes 6 s.
  CHECK(both.latency_p99->mean == doctest::Approx(6.0 / 15.0 - 1.0));
  CHECK_FALSE(paired_change(original, variant, {"nobody"}, {}, 0.95).latency.has_value());
}

TEST_CASE("a difference smaller than its interval is none, and replications without a partner do not count") {
  const std::vector<RunOutcome> original = {run_of(100.0, 1.0), run_of(101.0, 1.0), run_of(99.0, 1.0)};
  const std::vector<RunOutcome> variant = {run_of(99.0, 1.0), run_of(103.0, 1.0)};
  const PairedChange change = paired_change(original, variant, {}, {}, 0.95);
  CHECK(change.events_per_s.replications == 2);
  CHECK(verdict_of(change.events_per_s) == Verdict::no_difference);
}

TEST_CASE("a certain difference of less than a hundredth of a per cent is none") {
  const auto certain = [](double change) { return Estimate{.mean = change, .low = change, .high = change}; };
  CHECK(verdict_of(certain(9e-5)) == Verdict::no_difference);
  CHECK(verdict_of(certain(-9e-5)) == Verdict::no_difference);
  CHECK(verdict_of(certain(1.1e-4)) == Verdict::gains);
  CHECK(verdict_of(certain(-1.1e-4)) == Verdict::loses);
}

TEST_CASE("a single pair has the interval that both runs' batch means give") {
  RunOutcome original = run_of(110.0, 1.0);
  RunOutcome variant = run_of(99.0, 1.0);
  std::vector<double> series;
  for (int i = 0; i < 40; ++i) series.push_back(i % 4 < 2 ? 109.0 : 111.0);
  original.event_times = in_batches(series);
  variant.event_times = in_batches(std::vector<double>(40, 99.0));
  const PairedChange change = paired_change({&original, 1}, {&variant, 1}, {}, {}, 0.95);
  const double width = batch_means_relative_width(original.event_times, 0.95);
  CHECK(change.event_time.mean == doctest::Approx(-0.1));
  CHECK(change.event_time.high == doctest::Approx(-0.1 + 0.9 * width));
  const PairedChange drawn = paired_change({&original, 1}, {&variant, 1}, {"called"}, {}, 0.95);
  CHECK(std::isinf(drawn.latency->high));
  CHECK(std::isinf(drawn.latency_p99->low));
  const PairedChange fixed =
      paired_change({&original, 1}, {&variant, 1}, {"called"}, {}, 0.95, Stopping::nothing_drawn);
  CHECK(fixed.latency_p99->high == doctest::Approx(width));
  original.event_times = {};
  CHECK(std::isinf(paired_change({&original, 1}, {&variant, 1}, {}, {}, 0.95).event_time.high));
}

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
