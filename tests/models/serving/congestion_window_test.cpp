#include "models/serving/congestion_window.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <utility>

using namespace saturn;

namespace {

/// A sender, segment by segment: it sends while the line is free and what is not acknowledged leaves room in the
/// window, which every acknowledged segment makes a segment larger. @returns when the last segment has left [s]
double sent_by_segments(std::size_t segments, std::size_t initial, double segment_s, double round_trip_s) {
  std::deque<double> acknowledged;  // dates
  std::size_t window = initial;
  double now = 0.0;
  for (std::size_t sent = 0; sent < segments; ++sent) {
    if (acknowledged.size() >= window) now = std::max(now, acknowledged.front());
    while (!acknowledged.empty() && acknowledged.front() <= now) {
      acknowledged.pop_front();
      ++window;
    }
    acknowledged.push_back(now + round_trip_s);
    now += segment_s;
  }
  return now;
}

}  // namespace

TEST_CASE("on a fast line a transfer waits one round trip less than doubling windows need to carry it") {
  // Segments of 1,460 bytes, ten at first: 70 segments need 3 windows, 1,270 need 7, 10,230 need 10.
  for (const auto& [megabytes, round_trips] : {std::pair{0.1, 2.0}, {1.0, 6.0}, {10.0, 9.0}}) {
    CongestionWindow window({}, 1e15, 0.1);
    CHECK(window.send(1e6 * megabytes) == doctest::Approx(0.1 * round_trips).epsilon(1e-6));
  }
}

TEST_CASE("a transfer waits as long as a sender that counts its segments one by one") {
  CHECK(rc::check([] {
    const auto initial = *rc::gen::inRange<std::size_t>(1, 20);
    const auto segments = *rc::gen::inRange<std::size_t>(1, 3000);
    const double segment_s = 0.001;
    // A round trip of whole segments, so that segments leave side by side as a fluid does.
    const double round_trip_s = segment_s * *rc::gen::inRange(0, 500);
    CongestionWindow window({.initial_window = Bytes{static_cast<double>(initial)}}, 1.0 / segment_s, round_trip_s);
    const double fluid_s = static_cast<double>(segments) * segment_s;
    const double wait_s = window.send(static_cast<double>(segments));
    // Dates of segments are sums, and rounded so.
    RC_ASSERT(std::abs(sent_by_segments(segments, initial, segment_s, round_trip_s) - fluid_s - wait_s) <=
              segment_s + 1e-9);
  }));
}

TEST_CASE("what was sent makes the window larger, and idleness halves it, never below the initial one") {
  const SlowStart rules{.initial_window = Bytes{1e4}, .idle_restart = Seconds{0.2}};
  const auto wait_of_a_megabyte = [](CongestionWindow window) { return window.send(1e6); };
  CongestionWindow window(rules, 1e6, 1.0);
  const double new_one = wait_of_a_megabyte(window);
  CHECK(window.send(3e4) > 0.0);
  CHECK(wait_of_a_megabyte(window) < new_one);
  window.fill();
  CHECK(window.is_full());
  CHECK(wait_of_a_megabyte(window) == 0.0);
  window.rest(0.19);
  CHECK(window.is_full());
  window.rest(0.2);
  // Half a round trip's worth is sent in half a round trip, then its acknowledgement is waited for.
  CHECK(wait_of_a_megabyte(window) == doctest::Approx(0.5));
  window.rest(1e6);
  CHECK(wait_of_a_megabyte(window) == new_one);
}

TEST_CASE("a window that holds what a round trip carries never waits") {
  CongestionWindow window({.initial_window = Bytes{1e5}}, 1e6, 0.1);
  CHECK(window.send(1e9) == 0.0);
}
