#include "models/scaling/ideal_replicas.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace saturn;

namespace {

std::vector<RatePoint> points(const std::vector<std::pair<double, double>>& dates_and_rates) {
  std::vector<RatePoint> load;
  for (const auto& [at_s, per_s] : dates_and_rates) load.push_back({.at = Seconds{at_s}, .rate = Rate{per_s}});
  return load;
}

int count_at(const IdealReplicas& ideal, double at_s) {
  int count = 0;
  for (const DatedCount& step : ideal.counts)
    if (step.at_s <= at_s) count = step.count;
  return count;
}

using Steps = std::vector<std::pair<double, int>>;

Steps steps_of(const IdealReplicas& ideal) {
  Steps steps;
  for (const DatedCount& step : ideal.counts) steps.emplace_back(step.at_s, step.count);
  return steps;
}

}  // namespace

TEST_CASE("replicas for a peak are asked for a start-up before it, and go at its end") {
  // 50 requests a second, 450 from 1,000 s to 2,000 s; a replica carries 100 and starts in 180 s.
  const auto load = points({{0, 50}, {1000, 50}, {1000, 450}, {2000, 450}, {2000, 50}, {3000, 50}});
  const IdealReplicas ideal = ideal_replicas(load, {.carries = Rate{100.0}, .start_up = Seconds{180.0}});
  CHECK(steps_of(ideal) == Steps{{-180, 1}, {820, 5}, {2000, 1}, {3000, 0}});
  CHECK(ideal.replica_s == 1000.0 + 5.0 * 1180.0 + 1000.0);
}

TEST_CASE("replicas stay for a second peak that comes within a start-up, and go before one that comes later") {
  const auto load = points({{0, 1}, {10, 1}, {10, 0}, {30, 0}, {30, 1}, {40, 1}});
  const auto of_start_up = [&](double start_up_s) {
    return steps_of(ideal_replicas(load, {.carries = Rate{1.0}, .start_up = Seconds{start_up_s}}));
  };
  CHECK(of_start_up(20) == Steps{{-20, 1}, {40, 0}});
  CHECK(of_start_up(19) == Steps{{-19, 1}, {10, 0}, {11, 1}, {40, 0}});
}

TEST_CASE("a load that rises along a line takes one replica more whenever it passes what whole ones carry") {
  const IdealReplicas ideal = ideal_replicas(points({{0, 0}, {40, 4}, {80, 0}}), {.carries = Rate{1.0}});
  CHECK(steps_of(ideal) == Steps{{0, 1}, {10, 2}, {20, 3}, {30, 4}, {50, 3}, {60, 2}, {70, 1}, {80, 0}});
  CHECK(ideal.replica_s == 2.0 * 10.0 * (1 + 2 + 3 + 4));
  const IdealReplicas three = ideal_replicas(points({{0, 0}, {40, 4}, {80, 0}}), {.carries = Rate{1.0}, .least = 3});
  CHECK(steps_of(three) == Steps{{0, 3}, {30, 4}, {50, 3}, {80, 0}});
}

TEST_CASE("at every date there are as many as the largest need within a start-up asks for, no fewer and no more") {
  CHECK(rc::check([] {
    // Steps of whole seconds, so that a look at every half second sees all of them.
    std::vector<std::pair<double, double>> dates_and_rates;
    std::vector<int> need;
    for (int second = 0; second < 40; ++second) {
      const int tenths = *rc::gen::inRange(0, 60);
      const double rate = tenths / 10.0;
      dates_and_rates.emplace_back(second, rate);
      dates_and_rates.emplace_back(second + 1, rate);
      need.push_back((tenths + 6) / 7);
    }
    const int start_up_s = *rc::gen::inRange(0, 12);
    const IdealReplicas ideal =
        ideal_replicas(points(dates_and_rates), {.carries = Rate{0.7}, .start_up = Seconds{1.0 * start_up_s}});
    double replica_s = 0.0;
    for (int second = -start_up_s; second < 40; ++second) {
      int most = 0;
      for (int u = std::max(0, second); u <= std::min(39, second + start_up_s); ++u)
        most = std::max(most, need[static_cast<std::size_t>(u)]);
      RC_ASSERT(count_at(ideal, second + 0.5) == most);
      replica_s += most;
    }
    RC_ASSERT(std::abs(ideal.replica_s - replica_s) < 1e-9);
  }));
}

TEST_CASE("loads and replicas that cannot be are refused") {
  const auto load = points({{0, 1}, {1, 1}});
  CHECK_THROWS_AS(ideal_replicas(load, {.carries = Rate{0.0}}), std::invalid_argument);
  CHECK_THROWS_AS(ideal_replicas(load, {.start_up = Seconds{-1.0}}), std::invalid_argument);
  CHECK_THROWS_AS(ideal_replicas(load, {.least = -1}), std::invalid_argument);
  CHECK_THROWS_AS(ideal_replicas(points({{0, 1}}), {}), std::invalid_argument);
  CHECK_THROWS_AS(ideal_replicas(points({{1, 1}, {0, 1}}), {}), std::invalid_argument);
  CHECK_THROWS_AS(ideal_replicas(points({{0, -1}, {1, 1}}), {}), std::invalid_argument);
}
