#include "tests/oracles/fluid_queues.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/laws/random_stream.hpp"
#include "tests/oracles/rounded.hpp"

using namespace saturn::tests;

TEST_CASE("fluid queues have the numbers that were computed apart from this code") {
  CHECK(rounded(on_off_queue(2.0, 1.0, 0.3, 0.5).mean, 6) == 3.75);
  const FluidQueue queue = fluid_with_breakdowns({.arrivals_per_s = 0.6, .failures_per_s = 0.02, .repairs_per_s = 0.1});
  CHECK(rounded(queue.positive, 6) == 0.416667);
  CHECK(rounded(queue.decay_per, 6) == 0.116667);
  CHECK(rounded(queue.mean, 6) == 3.571429);
}

TEST_CASE("a fluid queue is as long, and as often empty, as one that is followed from change to change") {
  const double peak = 2.0;
  const double on_per_s = 0.3;
  const double off_per_s = 0.5;
  saturn::RandomStream stream(1, 0, 0, saturn::Purpose::arrival);
  double level = 0.0;
  double time_s = 0.0;
  double empty_s = 0.0;
  double area = 0.0;
  for (int i = 0; i < 400'000; ++i) {
    const double on_s = -std::log(stream.uniform()) / off_per_s;
    const double off_s = -std::log(stream.uniform()) / on_per_s;
    area += on_s * (level + on_s * (peak - 1.0) / 2.0);
    level += on_s * (peak - 1.0);
    const double falls_s = std::min(off_s, level);
    area += falls_s * (level - falls_s / 2.0);
    empty_s += off_s - falls_s;
    level -= falls_s;
    time_s += on_s + off_s;
  }
  const FluidQueue queue = on_off_queue(peak, 1.0, on_per_s, off_per_s);
  CHECK(area / time_s == doctest::Approx(queue.mean).epsilon(0.03));
  CHECK(1.0 - empty_s / time_s == doctest::Approx(queue.positive).epsilon(0.01));
}

TEST_CASE(
    "an autoscaler that adds one replica a minute lets a backlog of 90,000 requests grow, and drains it for half an "
    "hour") {
  const RampUp ramp{.load_per_s = 450.0, .replica_per_s = 100.0, .first_delay_s = 180.0, .period_s = 60.0};
  const Backlog backlog = ramp_up(ramp);
  CHECK(backlog.steps == 4);
  CHECK(backlog.peak == 90'000.0);
  CHECK(backlog.drained_s == 1800.0);
  CHECK(ramp_up({.load_per_s = 50.0, .replica_per_s = 100.0}).peak == 0.0);
  // Exactly as many replicas as the load needs never drain what came before.
  const Backlog stays = ramp_up({.load_per_s = 400.0, .replica_per_s = 100.0, .first_delay_s = 60.0});
  CHECK(stays.steps == 3);
  CHECK(stays.drained_s == std::numeric_limits<double>::infinity());
}
