#include "tests/fuzz/guarded.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <typeinfo>
#include <unistd.h>

#ifdef SATURN_SANITIZED
// Read by the sanitizer before main. Children end without looking for leaks, as a program that refuses its input does.
extern "C" const char* __asan_default_options() {
  return "hard_rss_limit_mb=4000:detect_leaks=0:handle_abort=1:abort_on_error=0";
}
extern "C" const char* __ubsan_default_options() {
  return "print_stacktrace=1:halt_on_error=1";
}
#endif

namespace saturn::fuzz {

namespace {

constexpr std::uint64_t cases_a_child = 500;
constexpr time_t most_processor_s = 20;
constexpr int threw = 3;

/// Written by a child, read by its parent when it is gone.
struct Shared {
  std::uint64_t at = 0;
  std::uint64_t answered = 0;
  char thrown[512] = {};
};

Shared& made_shared() {
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return *new (memory) Shared;
}

void limit() {
#ifndef SATURN_SANITIZED
  const rlimit memory{4ULL << 30U, 4ULL << 30U};
  setrlimit(RLIMIT_AS, &memory);
#endif
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

[[noreturn]] void perform(std::uint64_t first, std::uint64_t end, const std::function<bool(std::uint64_t)>& check,
                          Shared& shared) {
  limit();
  for (std::uint64_t at = first; at < end; ++at) {
    shared.at = at;
    // Of the processor's time, so that a busy machine makes no findings.
    const itimerval time{{}, {most_processor_s, 0}};
    setitimer(ITIMER_PROF, &time, nullptr);
    try {
      if (check(at)) ++shared.answered;
    } catch (const std::exception& error) {
      std::snprintf(shared.thrown, sizeof shared.thrown, "%s: %s", typeid(error).name(), error.what());
      _exit(threw);
    }
  }
  _exit(0);
}

std::string end_of(int status, const Shared& shared) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
    return "takes more than " + std::to_string(most_processor_s) + " s of a processor";
  if (WIFSIGNALED(status)) return std::string("is killed by SIG") + sigabbrev_np(WTERMSIG(status));
  if (WEXITSTATUS(status) == threw) return std::string("throws ") + shared.thrown;
  return "ends the process with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

std::uint64_t each_guarded(std::uint64_t count, const std::function<bool(std::uint64_t)>& check,
                           const std::function<void(const Finding&)>& found) {
  Shared& shared = made_shared();
  for (std::uint64_t next = 0; next < count;) {
    const std::uint64_t end = std::min(count, next + cases_a_child);
    std::fflush(nullptr);
    shared.at = next;
    const pid_t child = fork();
    if (child < 0) std::abort();
    if (child == 0) perform(next, end, check, shared);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      next = end;
      continue;
    }
    found({shared.at, end_of(status, shared)});
    next = shared.at + 1;
  }
  return shared.answered;
}

}  // namespace saturn::fuzz
