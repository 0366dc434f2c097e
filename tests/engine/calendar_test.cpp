#include "sim/engine/calendar.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <queue>
#include <vector>

#include "models/values/containers.hpp"
#include "sim/engine/dated_buckets.hpp"
#include "sim/engine/dated_queue.hpp"
#include "sim/engine/dated_wheel.hpp"
#include "sim/run/outcome_bytes.hpp"
#include "tests/engine/dated_source.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

using namespace saturn;
using namespace saturn::tests;

TEST_CASE("what a run stores is bounded, however long its window") {
  // Slices are stored, two numbers each: at most 8 of each of 20,000 cycles, of a warm-up of a few more, and of what
  // rounding up to whole readings adds, a 24th.
  constexpr std::size_t most_slices = 8 * 20'000 * 25 / 24 + 1000;
  Scenario scenario = busy_clients(1, exponential(0.001));
  std::vector<std::size_t> sizes;
  for (const double window_s : {10.0, 100.0, 400.0}) {
    scenario.run.window = Seconds{window_s};
    const RunLength length = run_length_for(scenario);
    CAPTURE(window_s);
    CHECK(length.slices <= most_slices);
    CHECK(end_of_run_s(length) - slice_end_s(length, length.least_warm_up - 1) >= window_s * (1 - 1e-9));
    const RunOutcome outcome = simulate_forked(scenario);
    CHECK(outcome.warm_up.window_s >= window_s * (1 - 1e-9));
    sizes.push_back(to_bytes(outcome).size());
    CHECK(sizes.back() <= most_slices * 2 * sizeof(double) + (std::size_t{1} << 16));
  }
  CHECK(sizes[2] < 3 * sizes[1]);
}

TEST_CASE("slices of the windows that scenarios ask for by themselves are an eighth of an event time") {
  const Scenario scenario = simple_loop({.clients = 20});
  CHECK(run_length_for(scenario).slice.value == doctest::Approx(20.0 / 8).epsilon(1e-12));
}

TEST_CASE("the calendar fires all sources in the order of their dates, equal dates by the source's number") {
  CHECK(rc::check("order", [] {
    const auto dates = *rc::gen::container<std::vector<std::vector<int>>>(
        rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 20)));
    Calendar calendar;
    std::vector<std::pair<double, std::size_t>> log;
    std::vector<std::pair<double, std::size_t>> expected;
    std::deque<DatedSource> sources;
    for (std::size_t s = 0; s < dates.size(); ++s) {
      std::vector<double> rising(dates[s].begin(), dates[s].end());
      std::sort(rising.begin(), rising.end());
      for (const double date : rising) expected.emplace_back(date, s);
      sources.emplace_back(calendar, rising, [&log, s](std::size_t, double now) { log.emplace_back(now, s); });
    }
    std::sort(expected.begin(), expected.end());
    calendar.run_until(1e9);
    RC_ASSERT(log == expected);
    RC_ASSERT(calendar.next_date() == Calendar::never);
  }));
}

TEST_CASE("heap and queue give dates back in order, and equal ones as they came, whatever is taken out between") {
  CHECK(rc::check("stable", [] {
    DatedHeap<int> heap;
    DatedQueue<int> queue;
    std::vector<std::pair<int, int>> present;  // date, number of arrival: the obvious reference
    int arrivals = 0;
    const auto operations = *rc::gen::container<std::vector<int>>(
        rc::gen::weightedOneOf<int>({{10, rc::gen::inRange(0, 10)}, {6, rc::gen::just(-1)}, {1, rc::gen::just(-2)}}));
    for (const int operation : operations) {
      if (operation >= 0) {
        heap.push(operation, arrivals);
        queue.push(operation, arrivals);
        present.emplace_back(operation, arrivals++);
      } else if (operation == -2) {
        const auto goes = [](int number) { return number % 3 == 0; };
        heap.remove_if(goes);
        queue.remove_if(goes);
        std::erase_if(present, [&](const auto& one) { return goes(one.second); });
      } else if (!present.empty()) {
        const auto first = std::min_element(present.begin(), present.end());
        RC_ASSERT(heap.top().date == first->first);
        RC_ASSERT(heap.pop() == first->second);
        RC_ASSERT(queue.next_date() == first->first);
        RC_ASSERT(queue.pop().value == first->second);
        present.erase(first);
      }
      RC_ASSERT(heap.size() == present.size());
      RC_ASSERT(queue.empty() == present.empty());
    }
  }));
}

TEST_CASE("a wheel and buckets of dates give their values back as the heap does, at whatever distances") {
  CHECK(rc::check("as the heap", [] {
    const auto many = *rc::gen::inRange<std::size_t>(1, 3000);
    const auto waits = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 40)));
    // The rate at which values leave changes, which the widths of buckets follow.
    const auto scales =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<double>>(rc::gen::element(1e-300, 1e-9, 0.125, 0.3, 1e6)));
    DatedWheel<std::size_t> wheel;
    DatedBuckets<std::size_t> buckets;
    DatedHeap<std::size_t> heap;
    const auto push = [&](std::size_t number, double now) {
      // A few are very far away.
      const int wait = waits[number % waits.size()];
      const double scale = scales[number / many % scales.size()];
      const double date = now + scale * (wait == 39 ? 1e5 : wait + 0.001 * static_cast<double>(number % 7));
      wheel.push(date, number);
      buckets.push(date, number);
      heap.push(date, number);
    };
    for (std::size_t i = 0; i < many; ++i) push(i, 0.0);
    for (std::size_t i = 0; !heap.empty(); ++i) {
      const double now = heap.top().date;
      RC_ASSERT(wheel.next_date() == now);
      RC_ASSERT(buckets.next_date() == now);
      RC_ASSERT(wheel.next() == heap.top().value);
      RC_ASSERT(buckets.next() == heap.pop());
      wheel.pop();
      buckets.pop();
      // Some leave together.
      if (i < 4 * many && i % 5 != 0) push(many + i, now);
      if (i < 4 * many && i % 7 == 0) push(5 * many + i, now);
      RC_ASSERT(wheel.size() == heap.size());
    }
    RC_ASSERT(wheel.empty());
    RC_ASSERT(buckets.empty());
  }));
}

TEST_CASE("the ring is a queue") {
  CHECK(rc::check("fifo", [] {
    Ring<int> ring;
    std::deque<int> reference;
    for (const int operation : *rc::gen::container<std::vector<int>>(rc::gen::inRange(-10, 20))) {
      if (operation >= 0) {
        ring.push(operation);
        reference.push_back(operation);
      } else if (!reference.empty()) {
        RC_ASSERT(ring.back() == reference.back());
        RC_ASSERT(ring.pop() == reference.front());
        reference.pop_front();
      }
      RC_ASSERT(ring.size() == reference.size());
      for (std::size_t i = 0; i < reference.size(); ++i) RC_ASSERT(ring[i] == reference[i]);
    }
  }));
}
