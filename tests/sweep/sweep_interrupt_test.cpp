#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <signal.h>
#include <stdexcept>
#include <unistd.h>

#include "sim/run/process_pool.hpp"
#include "tests/sweep/leaping_clock.hpp"
#include "tests/sweep/made_up_sweep.hpp"

namespace saturn {

namespace {

/// A signal's disposition for a scope.
class Disposition {
 public:
  Disposition(int number, void (*handler)(int)) : number_(number), former_(signal(number, handler)) {}
  ~Disposition() { signal(number_, former_); }
  Disposition(const Disposition&) = delete;
  Disposition& operator=(const Disposition&) = delete;

 private:
  int number_;
  void (*former_)(int);
};

}  // namespace

TEST_CASE("an interrupt lets running points finish, gives out no others, and the same sweep goes on later") {
  const auto tasks = made_up_tasks(10);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const ScratchSweep folder;
    SharedNumbers noticed(1);
    SharedNumbers begun(1);
    const AnswerPoint answer = [&](std::uint64_t point) {
      ++begun[0];
      if (point == 0) kill(getppid(), number);
      if (!wait_until([&] { return noticed[0] > 0; })) throw std::runtime_error("nobody noticed");
      return made_up_answer(point);
    };
    const SweepEnd end = run_sweep(tasks, answer, folder.path(), {.workers = 2}, [&](const SweepProgress& progress) {
      if (progress.stopping) ++noticed[0];
    });
    CHECK(end.interrupted);
    CHECK(end.progress.stopping);
    CHECK(end.progress.failed == 0);
    CHECK(begun[0] <= 2);
    CHECK(static_cast<std::int64_t>(end.progress.done) == begun[0]);
    CHECK(folder.lines() == expected_lines(made_up_tasks(end.progress.done)));

    const SweepEnd rest = sweep_quietly(tasks_left(tasks, folder), made_up_answer, folder, {.workers = 2});
    CHECK_FALSE(rest.interrupted);
    CHECK(rest.progress.tasks == 10 - end.progress.done);
    CHECK(folder.lines() == expected_lines(tasks));
  }
}

TEST_CASE("a second interrupt stops at once, and takes with it what the workers began") {
  const auto tasks = made_up_tasks(10);
  const ScratchSweep folder;
  SharedNumbers grandchild(1);
  const AnswerPoint answer = [&](std::uint64_t point) -> PointAnswer {
    if (point > 0) return made_up_answer(point);
    const pid_t child = fork();
    if (child != 0) {
      grandchild[0] = child;
      kill(getppid(), SIGINT);
    }
    sleep_for_ever();
  };
  unsigned sent = 0;
  const SweepEnd end = run_sweep(tasks, answer, folder.path(), {.workers = 2}, [&](const SweepProgress& progress) {
    if (progress.stopping && sent++ == 0) kill(getpid(), SIGINT);
  });
  CHECK(end.interrupted);
  CHECK(folder.result(0).status == PointStatus::missing);
  CHECK_FALSE(any_children());
  REQUIRE(grandchild[0] > 0);
  CHECK(wait_until([&] { return is_dead(static_cast<pid_t>(grandchild[0])); }));
  sweep_quietly(tasks_left(tasks, folder), made_up_answer, folder, {.workers = 2});
  CHECK(folder.lines() == expected_lines(tasks));
}

TEST_CASE("signals that a batch system sends to every process are the parent's alone to decide about") {
  const ScratchSweep folder;
  const AnswerPoint answer = [](std::uint64_t point) {
    ProcessPool pool(1, {});
    pool.submit([]() -> std::string {
      for (const int number : {SIGTERM, SIGHUP}) kill(0, number);
      return "still here";
    });
    const auto ended = pool.wait();
    if (std::get_if<std::string>(&ended->result) == nullptr) throw std::runtime_error("stopped");
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) kill(0, number);
    return made_up_answer(point);
  };
  const SweepEnd end = sweep_quietly(made_up_tasks(4), answer, folder, {.workers = 2});
  CHECK_FALSE(end.interrupted);
  CHECK(folder.lines() == expected_lines(made_up_tasks(4)));
}

TEST_CASE("a sweep under nohup does not end with its terminal") {
  const Disposition ignored(SIGHUP, SIG_IGN);
  const ScratchSweep folder;
  const AnswerPoint answer = [](std::uint64_t point) {
    kill(getppid(), SIGHUP);
    return made_up_answer(point);
  };
  CHECK_FALSE(sweep_quietly(made_up_tasks(4), answer, folder, {.workers = 2}).interrupted);
  CHECK(folder.lines() == expected_lines(made_up_tasks(4)));
}

TEST_CASE("a time of day that leaps by days changes neither limits nor rates") {
  const LeapingClock leaping;
  const auto before = std::chrono::system_clock::now();
  REQUIRE(std::chrono::abs(std::chrono::system_clock::now() - before) > std::chrono::hours(23));
  REQUIRE(std::abs(std::time(nullptr) - std::time(nullptr)) > 86000);

  const ScratchSweep folder;
  double longest_s = 0.0;
  const auto begun = std::chrono::steady_clock::now();
  const SweepEnd end = run_sweep(made_up_tasks(30), made_up_answer, folder.path(),
                                 {.workers = 2, .point_time = Seconds{120.0}}, [&](const SweepProgress& progress) {
                                   CHECK(progress.elapsed_s >= longest_s);
                                   CHECK(progress.remaining_s < 3600.0);
                                   longest_s = progress.elapsed_s;
                                 });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  CHECK(end.progress.failed == 0);
  CHECK(end.progress.elapsed_s <= took.count());
  CHECK(folder.lines() == expected_lines(made_up_tasks(30)));
}

}  // namespace saturn
