#include "reports/sweep/sweep_view.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <stdexcept>

#include "models/words/texts.hpp"
#include "reports/sweep/sweep_summary.hpp"
#include "tests/reports/sample_sweeps.hpp"

using namespace saturn;

TEST_CASE("times are said as people say them") {
  CHECK(spoken_time(0.0) == "0 s");
  CHECK(spoken_time(0.42) == "0.4 s");
  CHECK(spoken_time(59.4) == "59 s");
  CHECK(spoken_time(59.6) == "1 min");
  CHECK(spoken_time(200.0) == "3 min 20 s");
  CHECK(spoken_time(3599.9) == "1 h");
  CHECK(spoken_time(7830.0) == "2 h 11 min");
  CHECK(spoken_time(86400.0) == "1 day");
  CHECK(spoken_time(273600.0) == "3 days 4 h");
  CHECK(spoken_time(-1.0) == "an unknown time");
  CHECK(spoken_time(1e300) == "an unknown time");
}

TEST_CASE("the progress line says how far, how fast, and how long still") {
  const SweepProgress pace{.done = 50, .failed = 2, .tasks = 120, .workers = 2, .elapsed_s = 5.8, .remaining_s = 8.1};
  CHECK(sweep_progress_text(pace, {}) == "████████████▌░░░░░░░░░░░░░░░░░ 50 of 120, 2 failed, 8.6 a second, 8 s left");
  CHECK(sweep_progress_text(pace, {}, 20) == "50 of 120, 2 failed");
}

TEST_CASE("no progress is wider than its terminal, and none prints what is no number") {
  CHECK(rc::check([](std::uint64_t done, std::uint64_t failed, std::uint64_t tasks, double elapsed, double remaining) {
    const SweepProgress pace{.done = done,
                             .failed = failed,
                             .tasks = tasks,
                             .workers = 2,
                             .elapsed_s = elapsed,
                             .remaining_s = remaining,
                             .stopping = done % 2 == 1};
    for (const std::size_t width : {80U, 40U, 10U}) {
      const std::string text = sweep_progress_text(pace, {}, width);
      RC_ASSERT(width_of(text) <= width);
      RC_ASSERT(text.find("nan") == std::string::npos && text.find("inf") == std::string::npos);
    }
  }));
}

TEST_CASE("the last sentence counts points, failures, time and rate") {
  const SweepProgress pace{.done = 120, .failed = 2, .tasks = 120, .workers = 2, .elapsed_s = 14.0};
  CHECK(sweep_end_text(pace, {{"out of time", 2}}) ==
        "120 points: 118 answered, 2 failed (out of time), in 14 s, 8.6 a second on 2 workers.");
  CHECK(sweep_end_text({.done = 1, .tasks = 4, .workers = 1, .elapsed_s = 20.0}, {}) ==
        "1 point: 1 answered, in 20 s, 3.0 a minute on 1 worker; 3 not computed yet.");
}

TEST_CASE("everything that is wrong with a view is said at once, with what there is") {
  const SweepTable table = afternoon_sweep();
  const auto faults = faults_of(
      table, {.metric = "latency", .x = "max", .y = "bandwidth", .at = {{"rtt", "3 ms"}, {"max_queue_delay", "1 ms"}}});
  REQUIRE(faults.size() == 5);
  CHECK(faults[0].option == "--metric");
  CHECK(faults[0].code == "show.unknown_metric");
  CHECK(faults[0].text ==
        "No point answers with \"latency\"; there are \"event_time_s\", \"streams_per_gpu\" and \"binding\".");
  CHECK(faults[1].option == "--x");
  CHECK(faults[1].code == "show.unknown_axis");
  CHECK(faults[1].text ==
        "\"max\" is part of several axes: \"max_batch_size\" and \"max_queue_delay\"; its axes are \"max_batch_size\", "
        "\"rtt\" and \"max_queue_delay\".");
  CHECK(faults[2].text ==
        "The sweep has no axis \"bandwidth\"; its axes are \"max_batch_size\", \"rtt\" and \"max_queue_delay\".");
  CHECK(faults[3].option == "--at max_queue_delay=1 ms");
  CHECK(faults[3].code == "show.unknown_value");
  CHECK(faults[3].text == "\"max_queue_delay\" is never \"1 ms\"; its values are \"0 ms\", \"0.5 ms\" and \"2 ms\".");
  CHECK(faults[4].option == "--at rtt=3 ms");
  CHECK_THROWS_AS(resolved_view(table, {.metric = "latency"}), std::invalid_argument);
}

TEST_CASE("a map needs two different axes that are not held") {
  const SweepTable table = afternoon_sweep();
  const auto twice = faults_of(table, {.x = "rtt", .y = "/sample/rtt"});
  REQUIRE(twice.size() == 1);
  CHECK(twice[0].code == "show.not_two_axes");
  const auto held = faults_of(table, {.x = "rtt", .at = {{"rtt", "1 ms"}}});
  REQUIRE(held.size() == 1);
  CHECK(held[0].code == "show.not_two_axes");
  const auto single = faults_of(crossed_sweep({number_axis("a", "", {1, 2})}), {.y = "a"});
  REQUIRE(single.size() == 1);
  CHECK(single[0].text == "A map needs two axes, and the sweep has one: \"a\"; leave --y out.");
}

TEST_CASE("a value may be written as in the scenario, as it is shown, or in another unit") {
  const SweepTable table = afternoon_sweep();
  const auto points = [&](const std::string& value) {
    const SweepView view{.at = {{"max_queue_delay", value}}, .quantity = [](const std::string& text) {
                           return text == "500 us" ? std::optional(0.0005) : std::nullopt;
                         }};
    return faults_of(table, view).empty() ? resolved_view(table, view).rows.size() : 0U;
  };
  CHECK(points(table.rows[1].cells[2].text) == 143);
  CHECK(points("0.5 ms") == 143);
  CHECK(points("0.5ms") == 143);
  CHECK(points("500 us") == 143);
  CHECK(points("501 us") == 0);
}

TEST_CASE("what is left open is chosen: the first metric, the longest axes, none that runs along with another") {
  const SweepTable table = afternoon_sweep();
  const ResolvedView view = resolved_view(table, {});
  CHECK(view.metric->name == "event_time_s");
  CHECK(view.y == 1U);
  CHECK(view.x == 0U);
  CHECK(view.split == std::vector<std::size_t>{2});

  SweepTable zipped = crossed_sweep({number_axis("a", "", {1, 2, 3}), number_axis("b", "", {1, 2, 3})});
  std::erase_if(zipped.rows, [](const SweepRow& row) { return row.cells[0].number != row.cells[1].number; });
  const ResolvedView along = resolved_view(zipped, {});
  CHECK(along.x == 0U);
  CHECK_FALSE(along.y.has_value());
  CHECK(along.along == std::vector<std::size_t>{1});
}
