#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/run/outcome_bytes.hpp"
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
