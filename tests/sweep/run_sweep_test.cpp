#include "sim/sweep/run_sweep.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <stdexcept>

#include "sim/sweep/sweep_rate.hpp"
#include "tests/sweep/made_up_sweep.hpp"

namespace saturn {

TEST_CASE("every point is computed once and saved, with the same results for any number of workers") {
  const auto tasks = made_up_tasks(60);
  for (const unsigned workers : {0u, 1u, 2u, 5u}) {
    const ScratchSweep folder;
    SharedNumbers computed(tasks.size());
    const AnswerPoint answer = [&](std::uint64_t point) {
      ++computed[point];
      return made_up_answer(point);
    };
    const SweepEnd end = sweep_quietly(tasks, answer, folder, {.workers = workers, .log_name = "shard-1."});
    CHECK(end.progress.done == 60);
    CHECK(end.progress.failed == 0);
    CHECK_FALSE(end.interrupted);
    CHECK(folder.lines() == expected_lines(tasks));
    CHECK(read_results(folder.path()).lines == 60);
    for (std::size_t i = 0; i < tasks.size(); ++i) CHECK(computed[i] == 1);
    for (const auto& file : std::filesystem::directory_iterator(folder.path() / "results")) {
      CHECK(file.path().filename().string().starts_with("shard-1.worker-"));
      CHECK(file.file_size() > 0);
    }
  }
}

TEST_CASE("without points nothing is forked or made, and there are never more workers than points") {
  const ScratchSweep folder;
  SharedNumbers born(1);
  const SweepRunOptions options{.workers = 50, .in_child = [&] { ++born[0]; }};
  CHECK(sweep_quietly({}, made_up_answer, folder, options).progress.done == 0);
  CHECK(born[0] == 0);
  CHECK(std::filesystem::is_empty(folder.path()));
  sweep_quietly(made_up_tasks(3), made_up_answer, folder, options);
  CHECK(born[0] <= 3);
  CHECK(folder.lines() == expected_lines(made_up_tasks(3)));
}

TEST_CASE("a point that throws is a row with its reason, and the others are answered") {
  const ScratchSweep folder;
  const AnswerPoint answer = [](std::uint64_t point) {
    if (point == 1) throw PointFailed("no plan", "No number of clients meets the slowdown.");
    if (point == 2) throw std::runtime_error("what went wrong");
    if (point == 3) throw 3;
    if (point == 5) return PointAnswer{.metrics = {{.stem = "event_time", .unit = "s", .mean = std::nan("")}}};
    return made_up_answer(point);
  };
  const SweepEnd end = sweep_quietly(made_up_tasks(6), answer, folder, {.workers = 2});
  CHECK(end.progress.done == 6);
  CHECK(end.progress.failed == 4);
  CHECK(folder.result(1).status == PointStatus::failed);
  CHECK(folder.result(1).failure == "no plan");
  CHECK(folder.result(1).reason == "No number of clients meets the slowdown.");
  CHECK(folder.result(2).failure == "crashed");
  CHECK(folder.result(2).reason == "what went wrong");
  CHECK(folder.result(3).failure == "crashed");
  CHECK(folder.result(3).reason == "an exception of an unknown type");
  CHECK(folder.result(5).failure == "crashed");
  CHECK(folder.result(5).reason.find("event_time") != std::string::npos);
  CHECK(folder.result(0).status == PointStatus::imprecise);
  CHECK(folder.result(4).status == PointStatus::answered);
}

TEST_CASE("a report tells of every point in the end, never goes back, and what workers print stays theirs") {
  const ScratchSweep folder;
  std::vector<SweepProgress> told;
  const AnswerPoint answer = [](std::uint64_t point) {
    std::puts("this would be among the answers");
    std::fflush(stdout);
    return made_up_answer(point);
  };
  run_sweep(made_up_tasks(20), answer, folder.path(), {.workers = 2},
            [&](const SweepProgress& progress) { told.push_back(progress); });
  REQUIRE(told.size() >= 2);
  CHECK(told.back().done == 20);
  CHECK(told.back().workers == 0);
  CHECK(told.back().remaining_s == 0.0);
  for (std::size_t i = 0; i < told.size(); ++i) {
    CHECK(told[i].tasks == 20);
    CHECK_FALSE(told[i].stopping);
    if (i > 0) CHECK(told[i].done >= told[i - 1].done);
    if (i > 0) CHECK(told[i].elapsed_s >= told[i - 1].elapsed_s);
  }
}

TEST_CASE("the time that is left follows the rate, and a change of the rate after a while") {
  SweepRate rate(1000);
  CHECK(rate.remaining_s(0, 5.0) == 0.0);
  CHECK(rate.remaining_s(10, 10.0) == doctest::Approx(990.0));
  for (int i = 11; i <= 100; ++i) rate.remaining_s(static_cast<std::uint64_t>(i), i);
  // From here a point takes 10 s: after 300 s of it, nothing of the last half is from before.
  for (int i = 1; i <= 30; ++i) rate.remaining_s(100 + static_cast<std::uint64_t>(i), 100.0 + 10.0 * i);
  CHECK(rate.remaining_s(130, 400.0) == doctest::Approx(8700.0).epsilon(0.05));
  CHECK(rate.remaining_s(1000, 500.0) == 0.0);
}

TEST_CASE("neither processes nor open files remain, also when the report throws in the middle") {
  const ScratchSweep folder;
  const std::size_t before = open_files();
  struct sigaction interrupt_before {};
  sigaction(SIGINT, nullptr, &interrupt_before);
  sweep_quietly(made_up_tasks(10), made_up_answer, folder, {.workers = 3});
  const auto throwing = [](const SweepProgress& progress) {
    if (progress.done > 0) throw std::runtime_error("the terminal is gone");
  };
  CHECK_THROWS_WITH_AS(run_sweep(made_up_tasks(10), made_up_answer, folder.path(), {.workers = 3}, throwing),
                       "the terminal is gone", std::runtime_error);
  CHECK_FALSE(any_children());
  CHECK(open_files() == before);
  struct sigaction interrupt_after {};
  sigaction(SIGINT, nullptr, &interrupt_after);
  CHECK((interrupt_before.sa_handler == interrupt_after.sa_handler));
}

}  // namespace saturn
