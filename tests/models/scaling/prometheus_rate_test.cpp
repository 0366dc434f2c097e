#include "models/scaling/prometheus_rate.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace saturn;

namespace {

ScrapedCounter scraped(double window_s, const std::vector<CounterSample>& samples) {
  ScrapedCounter counter(window_s);
  for (const CounterSample& sample : samples) counter.scrape(sample.at_s, sample.count);
  return counter;
}

}  // namespace

TEST_CASE("a rate needs two samples in the window, which is open at its begin") {
  const std::vector<CounterSample> two{{0, 7}, {5, 17}};
  CHECK_FALSE(prometheus_rate({}, 30, 5));
  CHECK_FALSE(prometheus_rate(two, 30, 4));
  CHECK(prometheus_rate(two, 30, 5));
  CHECK(prometheus_rate(two, 30, 29.9));
  CHECK_FALSE(prometheus_rate(two, 30, 30));
}

TEST_CASE("a counter that began in the window is not extended to before it was 0") {
  // 0, 10, .., 50 at ages of 27 to 2 s: s = 25, the begin stays, the end is 2 s on: 50·27/25/30.
  const std::vector<CounterSample> young{{3, 0}, {8, 10}, {13, 20}, {18, 30}, {23, 40}, {28, 50}};
  CHECK(*prometheus_rate(young, 30, 30) == doctest::Approx(1.8).epsilon(1e-12));
  // The same, which had counted 2 before: it reaches back by 25·2/50 = 1 s.
  std::vector<CounterSample> older = young;
  for (CounterSample& sample : older) sample.count += 2;
  CHECK(*prometheus_rate(older, 30, 30) == doctest::Approx(50.0 * 28 / 25 / 30).epsilon(1e-12));
}

TEST_CASE("an end that is more than 1.1 distances away is taken to be half a distance away") {
  // Samples 10 s apart, at ages of 35 and 25 s of 60: both ends are 25 s away, and counted as 5 s.
  const std::vector<CounterSample> two{{25, 1000}, {35, 1020}};
  CHECK(*prometheus_rate(two, 60, 60) == doctest::Approx(20.0 * 20 / 10 / 60).epsilon(1e-12));
  // At just below 11 s they are counted in full.
  CHECK(*prometheus_rate(two, 31.8, 45.9) == doctest::Approx(20.0 * 31.8 / 10 / 31.8).epsilon(1e-12));
}

TEST_CASE("a counter that begins anew hides what it counted between the last sample and its end") {
  // 100 a scrape; it ends after 60 of the third, begins anew at 0 and has counted 30 when it is read.
  const std::vector<CounterSample> restarted{{0, 1000}, {10, 1100}, {20, 1200}, {30, 30}, {40, 130}};
  const double increase = 200.0 + 30.0 + 100.0;
  CHECK(*prometheus_rate(restarted, 45, 40) == doctest::Approx(increase * 45 / 40 / 45).epsilon(1e-12));
}

TEST_CASE("a counter that grows evenly and is read evenly has its slope as its rate, whenever the query comes") {
  CHECK(rc::check([] {
    const double slope = *rc::gen::inRange(0, 1000) / 10.0;
    const double scrape_s = *rc::gen::inRange(10, 100) / 10.0;
    const double window_s = scrape_s * *rc::gen::inRange(21, 200) / 10.0;
    const double first_s = *rc::gen::inRange(0, 1000) / 1000.0 * scrape_s;
    ScrapedCounter counter(window_s);
    // Since it was 0 more than a window has passed, so that it can be extended to the begin of the window.
    double now_s = 0.0;
    for (double at_s = first_s; at_s < 3.0 * window_s; at_s += scrape_s)
      counter.scrape(now_s = at_s, slope * (at_s + 100.0));
    const double query_s = now_s + *rc::gen::inRange(0, 1000) / 1000.0 * scrape_s;
    const auto rate = counter.rate(query_s);
    RC_ASSERT(rate.has_value());
    RC_ASSERT(std::abs(*rate - slope) <= 1e-9 * std::max(1.0, slope));
  }));
}

TEST_CASE("a rate over a ring of scrapes is that over all samples there have been") {
  CHECK(rc::check([] {
    const double window_s = *rc::gen::inRange(5, 60);
    ScrapedCounter counter(window_s);
    std::vector<CounterSample> all;
    double now_s = 0.0;
    double count = 0.0;
    for (int i = 0; i < 60; ++i) {
      now_s += *rc::gen::inRange(1, 200) / 10.0;
      count = *rc::gen::inRange(0, 10) == 0 ? 0.0 : count + *rc::gen::inRange(0, 50);
      counter.scrape(now_s, count);
      all.push_back({.at_s = now_s, .count = count});
      const double query_s = now_s + *rc::gen::inRange(0, 200) / 10.0;
      RC_ASSERT(counter.rate(query_s) == prometheus_rate(all, window_s, query_s));
    }
  }));
}

TEST_CASE("a sum is over the replicas that have a rate; of none there is none") {
  const ScrapedCounter old = scraped(30, {{0, 1000}, {5, 1010}, {10, 1020}});
  const ScrapedCounter fresh = scraped(30, {{10, 500}});
  CHECK(*summed_rate(std::vector{old, fresh}, 10) == doctest::Approx(*old.rate(10)));
  CHECK_FALSE(summed_rate(std::vector{fresh}, 10));
}

TEST_CASE("batches of eight make the queue time an execution eight times that of a request") {
  // 80 requests a second that each wait 5 ms, one by one and in batches of eight.
  CHECK(*queue_ms_per_execution(80 * 5000.0, 80.0) == doctest::Approx(5.0).epsilon(1e-6));
  CHECK(*queue_ms_per_execution(80 * 5000.0, 10.0) == doctest::Approx(40.0).epsilon(1e-6));
  CHECK(*queue_ms_per_execution(0.0, 0.0) == 0.0);
  CHECK_FALSE(queue_ms_per_execution(1.0, std::nullopt));
  CHECK_FALSE(queue_ms_per_execution(std::nullopt, 1.0));
}

TEST_CASE("replicas in use are the requests in flight while replicas are idle, later the replicas times what queues") {
  CHECK(replicas_in_use(0.6, 0.5, 4) == doctest::Approx(0.6));
  // 12 in flight, 8 of them computed by 4 replicas at two a replica: half as many again wait or travel.
  CHECK(replicas_in_use(12, 8, 4) == doctest::Approx(6.0));
  CHECK(replicas_in_use(3, 0, 0) == doctest::Approx(3.0));
}
