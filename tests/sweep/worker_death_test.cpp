#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <signal.h>
#include <string>
#include <unistd.h>

#include "tests/sweep/made_up_sweep.hpp"

namespace saturn {

namespace {

std::map<std::string, std::string> all_but(std::map<std::string, std::string> lines, std::uint64_t point) {
  lines.erase(made_up_id(point));
  return lines;
}

}  // namespace

TEST_CASE("a point whose worker dies once is computed by another one, and nothing is lost") {
  const auto tasks = made_up_tasks(12);
  for (const int number : {SIGKILL, SIGSEGV, SIGALRM + 1000}) {
    const ScratchSweep folder;
    const AnswerPoint answer = [&](std::uint64_t point) {
      if (point == 5 && mark(folder.marker("died"))) {
        if (number > 1000) _exit(0);
        signal(number, SIG_DFL);
        raise(number);
      }
      return made_up_answer(point);
    };
    const SweepEnd end = sweep_quietly(tasks, answer, folder, {.workers = 2});
    CHECK(end.progress.done == 12);
    CHECK(end.progress.failed == 0);
    CHECK(folder.lines() == expected_lines(tasks));
  }
}

TEST_CASE("a point that kills every worker is a row of its own, and the others are answered") {
  const auto tasks = made_up_tasks(12);
  const ScratchSweep folder;
  SharedNumbers deaths(1);
  const AnswerPoint answer = [&](std::uint64_t point) {
    if (point == 5) {
      ++deaths[0];
      std::fputs("the table was full\n", stderr);
      raise(SIGKILL);
    }
    return made_up_answer(point);
  };
  const SweepEnd end = sweep_quietly(tasks, answer, folder, {.workers = 2, .attempts = 4});
  CHECK(deaths[0] == 4);
  CHECK(end.progress.done == 12);
  CHECK(end.progress.failed == 1);
  CHECK(folder.result(5).failure == "killed");
  CHECK(folder.result(5).reason == "the worker that computed it was killed 4 times, last by signal 9 (Killed)");
  CHECK(end.last_words == std::vector<std::string>{"point 5: the table was full"});
  CHECK(all_but(folder.lines(), 5) == all_but(expected_lines(tasks), 5));
}

TEST_CASE("a worker that just ends says with which status, and no attempts at all are one") {
  const ScratchSweep folder;
  const AnswerPoint answer = [](std::uint64_t) -> PointAnswer { _exit(3); };
  sweep_quietly(made_up_tasks(1), answer, folder, {.workers = 1, .attempts = 0});
  CHECK(folder.result(0).failure == "crashed");
  CHECK(folder.result(0).reason == "the worker that computed it ended once without a result, last with exit status 3");
}

TEST_CASE("a worker's own fault is a crash, a signal from outside is not") {
  for (const int number : {SIGSEGV, SIGFPE, SIGKILL, SIGXCPU}) {
    const ScratchSweep folder;
    const AnswerPoint answer = [&](std::uint64_t point) {
      signal(number, SIG_DFL);
      raise(number);
      return made_up_answer(point);
    };
    sweep_quietly(made_up_tasks(1), answer, folder, {.workers = 1, .attempts = 1});
    const bool own = number == SIGSEGV || number == SIGFPE;
    CHECK(folder.result(0).failure == (own ? "crashed" : "killed"));
    CHECK(is_of_machine(folder.result(0).failure) != own);
  }
}

TEST_CASE("a point whose simulation is killed from outside is tried again, as one whose worker dies") {
  const auto tasks = made_up_tasks(4);
  const ScratchSweep folder;
  SharedNumbers kills(2);
  const AnswerPoint answer = [&](std::uint64_t point) {
    if (point == 1 && ++kills[0] < 3) throw PointFailed("killed", "killed by SIGKILL (Killed)");
    if (point == 2) ++kills[1], throw PointFailed("killed", "killed by SIGXCPU (CPU time limit exceeded)");
    return made_up_answer(point);
  };
  const SweepEnd end = sweep_quietly(tasks, answer, folder, {.workers = 2, .attempts = 3});
  CHECK(end.progress.failed == 1);
  CHECK(kills[0] == 3);
  CHECK(kills[1] == 3);
  CHECK(folder.result(2).failure == "killed");
  CHECK(all_but(folder.lines(), 2) == all_but(expected_lines(tasks), 2));
}

TEST_CASE("a point that takes too long is ended with everything that its worker began") {
  const auto tasks = made_up_tasks(8);
  const ScratchSweep folder;
  SharedNumbers grandchild(1);
  const AnswerPoint answer = [&](std::uint64_t point) {
    if (point == 3) {
      const pid_t child = fork();
      if (child == 0) sleep_for_ever();
      grandchild[0] = child;
      sleep_for_ever();
    }
    return made_up_answer(point);
  };
  const SweepEnd end = sweep_quietly(tasks, answer, folder, {.workers = 2, .point_time = Seconds{1.5}});
  CHECK(end.progress.failed == 1);
  CHECK(folder.result(3).failure == "out of time");
  CHECK(folder.result(3).reason == "took longer than 1.5 s (--point-time)");
  CHECK(all_but(folder.lines(), 3) == all_but(expected_lines(tasks), 3));
  REQUIRE(grandchild[0] > 0);
  // Whoever inherits it reaps it: it is gone, or a zombie.
  CHECK(wait_until([&] { return is_dead(static_cast<pid_t>(grandchild[0])); }));
}

TEST_CASE("the death of a worker is noticed although a child of its own holds on to its files") {
  const ScratchSweep folder;
  const AnswerPoint answer = [&](std::uint64_t point) {
    if (point == 1 && mark(folder.marker("died"))) {
      if (fork() == 0) sleep_for_ever();
      raise(SIGKILL);
    }
    return made_up_answer(point);
  };
  sweep_quietly(made_up_tasks(3), answer, folder, {.workers = 1});
  CHECK(folder.lines() == expected_lines(made_up_tasks(3)));
}

TEST_CASE("a point that asks for more memory than it may is out of memory, also where nothing may be thrown" *
          doctest::test_suite("release")) {
  const ScratchSweep folder;
  const AnswerPoint answer = [](std::uint64_t point) {
    const auto fill = [] { return std::string(std::size_t{2} << 30, 'x').size(); };
    const auto fill_unthrowing = [&]() noexcept { return fill(); };
    if (point == 1 && fill() == 0) std::abort();
    if (point == 2 && fill_unthrowing() == 0) std::abort();
    return made_up_answer(point);
  };
  const SweepEnd end = sweep_quietly(made_up_tasks(5), answer, folder, {.workers = 2, .point_memory = 1ull << 30});
  CHECK(end.progress.done == 5);
  CHECK(end.progress.failed == 2);
  for (const std::uint64_t point : {1u, 2u}) {
    CHECK(folder.result(point).failure == "out of memory");
    CHECK(folder.result(point).reason == "asked for more memory than 1 GiB (--point-memory)");
  }
}

}  // namespace saturn
