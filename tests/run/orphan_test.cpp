#include <doctest/doctest.h>

#include <array>
#include <poll.h>
#include <signal.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/run/process_pool.hpp"

using namespace saturn;

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
