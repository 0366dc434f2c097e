#include "sim/run/process_pool.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <new>
#include <poll.h>
#include <signal.h>
#include <stdexcept>
#include <stdlib.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "sim/run/called_program.hpp"
#include "tests/temporary_folder.hpp"

using namespace saturn;

namespace {

ProgramEnd shell(const std::string& script, double limit_s = 60.0) {
  return call_program({.program = "/bin/sh", .arguments = {"-c", script}, .limit_s = limit_s});
}

}  // namespace

TEST_CASE("a called program gives its exit code and what it wrote to both of its outputs") {
  const ProgramEnd end = shell("echo one; echo two >&2; exit 7");
  CHECK(end.exit_code == 7);
  CHECK(end.words == "one\ntwo");
  CHECK_FALSE(end.timed_out);
}

TEST_CASE("a called program gets its words as they are, its environment, and an empty stdin") {
  const ProgramEnd end =
      call_program({.program = "/bin/sh",
                    .arguments = {"-c", "cat; echo \"$1 $SATURN_TEST_WORD\"", "sh", "$(id) ; 'a\" *"},
                    .environment = {{"SATURN_TEST_WORD", "a b"}}});
  CHECK(end.words == "$(id) ; 'a\" * a b");
}

TEST_CASE("a called program that hangs is killed when its time is over, even if it has closed its outputs") {
  const auto begin = std::chrono::steady_clock::now();
  for (const char* script : {"exec sleep 100", "exec sleep 100 >&- 2>&-"}) {
    const ProgramEnd end = shell(script, 0.1);
    CHECK(end.timed_out);
    CHECK(end.exit_code == 128 + 9);
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
}

TEST_CASE("a called program that a signal ends, or that does not exist, is told apart") {
  CHECK(shell("kill -TERM $$").exit_code == 128 + 15);
  const ProgramEnd none = call_program({.program = "/nonexistent/program"});
  CHECK(none.exit_code == 127);
  CHECK(none.words == "No such file or directory");
}

TEST_CASE("the end of what a called program wrote is kept, however much it wrote") {
  const ProgramEnd end = shell("i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i + 1)); done");
  CHECK(end.exit_code == 0);
  CHECK(end.words.size() <= 4096);
  CHECK(end.words.ends_with("19998\n19999"));
}

TEST_CASE("a program is looked for in the folders of PATH, past folders and files that cannot be run") {
  const TemporaryFolder folders;
  const std::filesystem::path& root = folders.path();
  std::filesystem::create_directories(root / "a" / "node");
  for (const char* folder : {"b", "c", "d"}) {
    std::filesystem::create_directory(root / folder);
    std::ofstream(root / folder / "node") << "#!/bin/sh\n";
    std::filesystem::permissions(root / folder / "node", *folder == 'b' ? std::filesystem::perms::owner_read
                                                                        : std::filesystem::perms::owner_all);
  }
  const std::string before = std::getenv("PATH");
  const auto in = [&](const std::string& folder) { return (root / folder).string(); };
  setenv("PATH", (in("a") + ":" + in("b") + ":" + in("c") + ":" + in("d")).c_str(), 1);
  CHECK(program_on_path("node") == root / "c" / "node");
  CHECK_FALSE(program_on_path("no-such-program"));
  setenv("PATH", before.c_str(), 1);
}

TEST_CASE("ranges give the same bytes in the same order on any number of processes, also where a child dies") {
  constexpr std::uint64_t count = 2000;
  const pid_t here = getpid();
  const auto listed = [&](TaskRange range) {
    // Every child dies at its second range or before.
    static bool called = false;
    if (getpid() != here && std::exchange(called, true)) abort();
    std::string text;
    for (std::uint64_t i = range.first; i < range.last; ++i) text += std::to_string(i) + " ";
    return text;
  };
  const std::string expected = listed({0, count});
  for (const unsigned processes : {1U, 2U, 3U}) {
    std::string together;
    for (const std::string& bytes : for_each_on_cores(count, processes, listed)) together += bytes;
    CHECK(together == expected);
  }
  CHECK(for_each_on_cores(0, 2, listed).empty());
}

TEST_CASE("what working off a range throws is thrown where it was asked for") {
  const auto throwing = [](TaskRange range) -> std::string { throw std::domain_error(std::to_string(range.first)); };
  CHECK_THROWS_AS(for_each_on_cores(2000, 2, throwing), std::domain_error);
}

TEST_CASE("children do not survive a parent that is killed") {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t parent = fork();
  REQUIRE(parent >= 0);
  if (parent == 0) {
    close(ends[0]);
    ProcessPool pool(1, {});
    pool.submit([&ends]() -> std::string {
      if (write(ends[1], "x", 1) != 1) _exit(1);
      while (true) pause();
    });
    pool.wait();
    _exit(0);
  }
  close(ends[1]);
  char byte = 0;
  REQUIRE(read(ends[0], &byte, 1) == 1);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  // The pipe ends when its last writer, the grandchild, has gone.
  pollfd pipe_end{ends[0], POLLIN, 0};
  CHECK(poll(&pipe_end, 1, 10000) == 1);
  CHECK(read(ends[0], &byte, 1) == 0);
  close(ends[0]);
}

namespace {

using TaskResults = std::map<std::size_t, std::variant<std::string, TaskFailure>>;

TaskResults run_all(ProcessPool& pool, const std::vector<ForkedTask>& tasks) {
  for (const ForkedTask& task : tasks) pool.submit(task);
  TaskResults results;
  while (auto ended = pool.wait()) results.insert({*ended->ticket, std::move(ended->result)});
  return results;
}

TaskFailure failure_of(ForkedTask task, RunLimits limits = {}) {
  ProcessPool pool(1, limits);
  const TaskResults results = run_all(pool, {std::move(task)});
  REQUIRE(results.size() == 1);
  REQUIRE(std::holds_alternative<TaskFailure>(results.at(0)));
  return std::get<TaskFailure>(results.at(0));
}

std::size_t open_descriptors() {
  const auto listing = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(listing), end(listing)));
}

bool has_children() {
  return !(waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD);
}

[[noreturn]] std::string sleep_for_ever() {
  while (true) pause();
}

}  // namespace

TEST_CASE("bytes come back whole, megabytes and zeros among them, whatever the number of processes is") {
  std::vector<ForkedTask> tasks;
  for (std::size_t i = 0; i < 20; ++i) {
    tasks.push_back([i] { return std::string(i * i * 10000, static_cast<char>(i)); });
  }
  for (const unsigned processes : {0u, 1u, 3u, 50u}) {
    ProcessPool pool(processes, {});
    const TaskResults results = run_all(pool, tasks);
    REQUIRE(results.size() == tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      REQUIRE(std::holds_alternative<std::string>(results.at(i)));
      CHECK(std::get<std::string>(results.at(i)) == tasks[i]());
    }
  }
}

TEST_CASE("at most the asked number of children run at once") {
  // Each child looks at its parent's list of children: itself and its contemporaries.
  const ForkedTask count_siblings = [] {
    const std::string parent = std::to_string(getppid());
    std::FILE* list = std::fopen(("/proc/" + parent + "/task/" + parent + "/children").c_str(), "r");
    if (!list) throw std::runtime_error("no list of children");
    std::string count;
    int child = 0;
    while (std::fscanf(list, "%d", &child) == 1) count += "|";
    std::fclose(list);
    usleep(10000);
    return count;
  };
  ProcessPool pool(3, {});
  std::size_t most = 0;
  for (const auto& [ticket, result] : run_all(pool, std::vector<ForkedTask>(12, count_siblings))) {
    REQUIRE(std::holds_alternative<std::string>(result));
    most = std::max(most, std::get<std::string>(result).size());
  }
  CHECK(most >= 1);
  CHECK(most <= 3);
}

TEST_CASE("every way to fail has its kind and its message") {
  TaskFailure failure = failure_of([]() -> std::string { throw std::logic_error("Little's law is broken at gke/t4"); });
  CHECK(failure.kind == FailureKind::broken_law);
  CHECK(failure.message == "Little's law is broken at gke/t4");

  failure = failure_of([]() -> std::string { throw std::logic_error("deadlock: 3 jobs wait for ever"); });
  CHECK(failure.kind == FailureKind::deadlocked);
  CHECK(failure.message == "deadlock: 3 jobs wait for ever");

  failure = failure_of([]() -> std::string { throw std::range_error("beyond the table"); });
  CHECK(failure.kind == FailureKind::crashed);
  CHECK(failure.message == "std::range_error: beyond the table");

  failure = failure_of([]() -> std::string { throw std::bad_alloc(); });
  CHECK(failure.kind == FailureKind::out_of_memory);
  CHECK(failure.message == "the run asked for more memory than its limit");

  failure = failure_of([]() -> std::string {
    std::puts("this goes nowhere");
    std::fputs("first line\nthe world ends\n\n", stderr);
    std::abort();
  });
  CHECK(failure.kind == FailureKind::crashed);
  CHECK(failure.message == "killed by SIGABRT (Aborted); its last words were: first line\nthe world ends");

  for (const int own : {SIGFPE, SIGILL, SIGBUS, SIGTRAP}) {
    failure = failure_of([own]() -> std::string {
      signal(own, SIG_DFL);
      raise(own);
      return "too late";
    });
    CHECK(failure.kind == FailureKind::crashed);
  }
  for (const int from_outside : {SIGKILL, SIGXCPU, SIGUSR1, SIGALRM}) {
    failure = failure_of([from_outside]() -> std::string {
      raise(from_outside);
      return "too late";
    });
    CHECK(failure.kind == FailureKind::killed);
  }
  CHECK(failure_of([]() -> std::string {
          raise(SIGKILL);
          return "too late";
        }).message == "killed by SIGKILL (Killed)");

  failure = failure_of([]() -> std::string { _exit(3); });
  CHECK(failure.kind == FailureKind::crashed);
  CHECK(failure.message == "ended with exit status 3 and no result");

  failure = failure_of(sleep_for_ever, {.time = Seconds{0.05}});
  CHECK(failure.kind == FailureKind::out_of_time);
  CHECK(failure.message == "stopped after its limit of 0.05 s");
}

TEST_CASE("a run that allocates beyond its limit is out of memory, also where nothing may be thrown" *
          doctest::test_suite("release")) {
  const RunLimits limits{.memory_bytes = 1ull << 30};
  CHECK(failure_of([] { return std::string(std::size_t{2} << 30, 'x'); }, limits).kind == FailureKind::out_of_memory);
  const auto in_noexcept = []() noexcept { return std::string(std::size_t{2} << 30, 'x'); };
  CHECK(failure_of([in_noexcept] { return in_noexcept(); }, limits).kind == FailureKind::out_of_memory);
}

TEST_CASE("a flood on stderr blocks nobody, and only its end is kept") {
  const TaskFailure failure = failure_of([]() -> std::string {
    for (int i = 0; i < 20000; ++i) std::fprintf(stderr, "line %d of a very talkative library\n", i);
    throw std::runtime_error("enough");
  });
  CHECK(failure.message.starts_with("std::runtime_error: enough; its last words were: "));
  CHECK(failure.message.ends_with("line 19999 of a very talkative library"));
  CHECK(failure.message.size() < 3000);
}

TEST_CASE("SIGINT kills the children, reports what had not ended, and goes back to its former owner") {
  struct sigaction before {};
  sigaction(SIGINT, nullptr, &before);
  for (const int number : {SIGINT, SIGTERM}) {
    const auto begin = std::chrono::steady_clock::now();
    ProcessPool pool(2, {});
    const TaskResults results = run_all(pool, {sleep_for_ever,
                                               [number]() -> std::string {
                                                 kill(getppid(), number);
                                                 return sleep_for_ever();
                                               },
                                               [] { return std::string("never begun"); }});
    REQUIRE(results.size() == 3);
    for (const auto& [ticket, result] : results) {
      REQUIRE(std::holds_alternative<TaskFailure>(result));
      CHECK(std::get<TaskFailure>(result).kind == FailureKind::interrupted);
    }
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    CHECK_FALSE(has_children());
  }
  struct sigaction after {};
  sigaction(SIGINT, nullptr, &after);
  CHECK((before.sa_handler == after.sa_handler));
}

TEST_CASE("at the deadline of a pool what has ended counts, what runs is killed, and what waits never begins") {
  const auto begin = std::chrono::steady_clock::now();
  ProcessPool pool(2, {}, deadline_after(Seconds{0.3}));
  const TaskResults results = run_all(
      pool, {[] { return std::string("quick"); }, sleep_for_ever, sleep_for_ever, [] { return std::string("late"); }});
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(800));
  REQUIRE(results.size() == 4);
  CHECK(std::get<std::string>(results.at(0)) == "quick");
  for (const std::size_t ticket : std::initializer_list<std::size_t>{1, 2, 3}) {
    REQUIRE(std::holds_alternative<TaskFailure>(results.at(ticket)));
    CHECK(std::get<TaskFailure>(results.at(ticket)).kind == FailureKind::out_of_budget);
  }
  CHECK_FALSE(has_children());
}

TEST_CASE("neither descriptors nor zombies remain, also when a pool is dropped while its tasks run") {
  const std::size_t before = open_descriptors();
  {
    ProcessPool pool(4, {.time = Seconds{0.02}});
    std::vector<ForkedTask> tasks;
    for (int i = 0; i < 60; ++i) {
      tasks.push_back([i]() -> std::string {
        if (i % 3 == 0) std::abort();
        if (i % 10 == 1) return sleep_for_ever();
        return "fine";
      });
    }
    CHECK(run_all(pool, tasks).size() == tasks.size());
  }
  {
    ProcessPool pool(3, {});
    pool.submit(sleep_for_ever);
    pool.submit([] { return std::string("quick"); });
    pool.submit(sleep_for_ever);
    REQUIRE(pool.wait());
  }
  CHECK(open_descriptors() == before);
  CHECK_FALSE(has_children());
}
