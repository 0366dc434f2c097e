#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <poll.h>
#include <random>
#include <signal.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/document/complaints.hpp"
#include "tests/sweep/made_up_sweep.hpp"

namespace saturn {

namespace {

/// A sweep in a process of its own, which is there to be killed.
class DoomedSweep {
 public:
  DoomedSweep(const std::vector<SweepTask>& tasks, const AnswerPoint& answer, const ScratchSweep& folder)
      : born_(1), workers_(64) {
    if (pipe(ends_.data()) != 0) throw std::runtime_error("no pipe");
    parent_ = fork();
    if (parent_ == 0) {
      const auto in_child = [this] { workers_[static_cast<std::size_t>(born_[0]++) % workers_.size()] = getpid(); };
      sweep_quietly(tasks, answer, folder, {.workers = 2, .in_child = in_child});
      _exit(0);
    }
    close(ends_[1]);
  }
  ~DoomedSweep() { close(ends_[0]); }
  DoomedSweep(const DoomedSweep&) = delete;
  DoomedSweep& operator=(const DoomedSweep&) = delete;

  void kill_parent() {
    kill(parent_, SIGKILL);
    waitpid(parent_, nullptr, 0);
  }
  void kill_workers() {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (workers_[i] > 0) kill(-static_cast<pid_t>(workers_[i]), SIGKILL);
    }
  }
  /// Whether parent and workers have all ended: the pipe ends with its last writer.
  bool all_gone(std::chrono::milliseconds patience) {
    pollfd end{ends_[0], POLLIN, 0};
    return poll(&end, 1, static_cast<int>(patience.count())) == 1;
  }

 private:
  std::array<int, 2> ends_{};
  SharedNumbers born_;
  SharedNumbers workers_;
  pid_t parent_ = -1;
};

std::string code_thrown_by(const std::function<void()>& sweep) {
  try {
    sweep();
  } catch (const InputError& error) {
    return error.complaints().size() == 1 ? error.complaints().front().code : "not one complaint";
  }
  return "nothing";
}

}  // namespace

TEST_CASE("workers whose parent is killed save the points that they are at, and end") {
  const auto tasks = made_up_tasks(20);
  const ScratchSweep folder;
  SharedNumbers begun(1);
  SharedNumbers orphaned(1);
  DoomedSweep sweep(
      tasks,
      [&](std::uint64_t point) {
        ++begun[0];
        if (!wait_until([&] { return orphaned[0] > 0; })) std::abort();
        return made_up_answer(point);
      },
      folder);
  REQUIRE(wait_until([&] { return begun[0] == 2; }));
  sweep.kill_parent();
  CHECK(folder.lines().empty());
  ++orphaned[0];
  CHECK(sweep.all_gone(std::chrono::seconds(30)));
  CHECK(begun[0] == 2);
  CHECK(folder.lines() == expected_lines(made_up_tasks(2)));
  sweep_quietly(tasks_left(tasks, folder), made_up_answer, folder, {.workers = 2});
  CHECK(folder.lines() == expected_lines(tasks));
}

TEST_CASE("a sweep that is killed as a whole, again and again, at any moment, ends with the same results") {
  const auto tasks = made_up_tasks(200);
  const ScratchSweep folder;
  SharedNumbers begun(1);
  SharedNumbers allowed(1);
  const AnswerPoint answer = [&](std::uint64_t point) {
    // However late the blow comes, no round gets far.
    if (++begun[0] > allowed[0]) sleep_for_ever();
    return made_up_answer(point);
  };
  std::minstd_rand random(7);
  unsigned kills = 0;
  for (auto left = tasks; left.size() > 40; left = tasks_left(tasks, folder)) {
    REQUIRE(++kills < 200);
    const auto until = begun[0] + 1 + static_cast<std::int64_t>(random() % 30);
    allowed[0] = until + 5;
    DoomedSweep sweep(left, answer, folder);
    REQUIRE(wait_until([&] { return begun[0] >= until; }));
    if (random() % 2 == 0) sweep.kill_workers();
    sweep.kill_parent();
    REQUIRE(wait_until([&] {
      sweep.kill_workers();
      return sweep.all_gone(std::chrono::milliseconds(1));
    }));
  }
  CHECK(kills >= 4);
  const SweepEnd end = sweep_quietly(tasks_left(tasks, folder), made_up_answer, folder, {.workers = 2});
  CHECK(end.progress.failed == 0);
  CHECK(folder.lines() == expected_lines(tasks));
}

TEST_CASE("a limit of file sizes is a complaint: what was saved is whole, and without it the sweep goes on") {
  const auto tasks = made_up_tasks(100);
  const ScratchSweep folder;
  const SweepRunOptions limited{.workers = 2, .in_child = [] { tests::limit_file_sizes(5000); }};
  CHECK(code_thrown_by([&] { sweep_quietly(tasks, made_up_answer, folder, limited); }) == "sweep.disk_full");
  const ReadResults saved = read_results(folder.path());
  CHECK(saved.torn == 0);
  CHECK(saved.by_id.size() > 0);
  CHECK(saved.by_id.size() < tasks.size());
  sweep_quietly(tasks_left(tasks, folder), made_up_answer, folder, {.workers = 2});
  CHECK(folder.lines() == expected_lines(tasks));
}

TEST_CASE("where one worker cannot save, the points that others are at are finished and saved first") {
  const ScratchSweep folder;
  SharedNumbers born(1);
  SharedNumbers noticed(1);
  bool can_save = true;
  const SweepRunOptions options{.workers = 2, .in_child = [&] {
                                  can_save = born[0]++ > 0;
                                  if (!can_save) tests::limit_file_sizes(10);
                                }};
  const AnswerPoint answer = [&](std::uint64_t point) {
    const bool waited = wait_until([&] { return can_save ? noticed[0] > 0 : born[0] == 2; });
    if (!waited) std::abort();
    return made_up_answer(point);
  };
  CHECK(code_thrown_by([&] {
          run_sweep(made_up_tasks(9), answer, folder.path(), options, [&](const SweepProgress& progress) {
            if (progress.stopping) ++noticed[0];
          });
        }) == "sweep.disk_full");
  CHECK(folder.lines().size() == 1);
}

TEST_CASE("a folder that takes no results is a complaint, and no point is computed in vain twice") {
  const ScratchSweep folder;
  REQUIRE(mark(folder / "results"));
  SharedNumbers begun(1);
  const AnswerPoint answer = [&](std::uint64_t point) {
    ++begun[0];
    return made_up_answer(point);
  };
  CHECK(code_thrown_by([&] { sweep_quietly(made_up_tasks(9), answer, folder, {.workers = 1}); }) ==
        "sweep.not_writable");
  CHECK(begun[0] == 1);
}

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
      if (point == 5 && mark(folder / "died")) {
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
    if (point == 1 && mark(folder / "died")) {
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
