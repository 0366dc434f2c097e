#include "sim/sweep/run_sweep.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <signal.h>
#include <stdexcept>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "sim/run/process_pool.hpp"
#include "tests/sweep/made_up_sweep.hpp"

namespace saturn {

/// For as long as it lives, the time of day in this process and in those that it forks leaps by days, forwards and
/// backwards, each time that somebody looks. The clock that nobody sets goes on as ever.
class LeapingClock {
 public:
  LeapingClock();
  ~LeapingClock();
  LeapingClock(const LeapingClock&) = delete;
  LeapingClock& operator=(const LeapingClock&) = delete;
};

}  // namespace saturn

namespace {

bool leaping = false;
std::time_t leap = 0;

std::time_t next_leap() {
  if (!leaping) return 0;
  leap = leap > 0 ? -2 * leap - 86400 : 86400 - leap;
  if (leap < -1000000000) leap = 0;
  return leap;
}

int real_clock(clockid_t clock, timespec* time) {
  return static_cast<int>(syscall(SYS_clock_gettime, clock, time));
}

}  // namespace

// A program's own definitions take the place of the C library's, for the libraries that it is linked with, too.
extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const int failed = real_clock(clock, time);
  if (failed == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += next_leap();
  return failed;
}

int gettimeofday(timeval* time, void*) noexcept {
  timespec now{};
  const int failed = clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return failed;
}

std::time_t time(std::time_t* result) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}
}

namespace saturn {

LeapingClock::LeapingClock() {
  leaping = true;
}

LeapingClock::~LeapingClock() {
  leaping = false;
}

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
    if (point == 1) throw PointFailed("no plan", "No number of jobs meets the slowdown.");
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
  CHECK(folder.result(1).reason == "No number of jobs meets the slowdown.");
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
