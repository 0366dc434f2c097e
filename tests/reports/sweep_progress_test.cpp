#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "models/words/texts.hpp"
#include "reports/sweep_progress_text.hpp"

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
  rc::check([](std::uint64_t done, std::uint64_t failed, std::uint64_t tasks, double elapsed, double remaining) {
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
  });
}

TEST_CASE("the last sentence counts points, failures, time and rate") {
  const SweepProgress pace{.done = 120, .failed = 2, .tasks = 120, .workers = 2, .elapsed_s = 14.0};
  CHECK(sweep_end_text(pace, {{"out of time", 2}}) ==
        "120 points: 118 answered, 2 failed (out of time), in 14 s, 8.6 a second on 2 workers.");
  CHECK(sweep_end_text({.done = 1, .tasks = 4, .workers = 1, .elapsed_s = 20.0}, {}) ==
        "1 point: 1 answered, in 20 s, 3.0 a minute on 1 worker; 3 not computed yet.");
}
