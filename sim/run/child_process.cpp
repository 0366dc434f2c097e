#include "sim/run/child_process.hpp"

#include <cerrno>
#include <cstdlib>
#include <cxxabi.h>
#include <fcntl.h>
#include <new>
#include <signal.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <typeinfo>
#include <unistd.h>
#include <utility>

#include "models/no_answer.hpp"

#ifdef SATURN_COVERED
#include <gcov.h>
#endif

namespace saturn {
namespace {

std::string type_of(const std::exception& exception) {
  int status = 0;
  char* name = abi::__cxa_demangle(typeid(exception).name(), nullptr, nullptr, &status);
  std::string text = status == 0 ? name : typeid(exception).name();
  std::free(name);
  return text;
}

std::pair<ChildVerdict, std::string> perform(const ForkedTask& task) {
  try {
    return {ChildVerdict::bytes, task()};
  } catch (const std::bad_alloc&) {
    return {ChildVerdict::out_of_memory, "the run asked for more memory than its limit"};
  } catch (const std::logic_error& error) {
    const bool deadlock = std::string_view(error.what()).starts_with("deadlock:");
    return {deadlock ? ChildVerdict::deadlocked : ChildVerdict::broken_law, error.what()};
  } catch (const NoAnswer& none) {
    return {ChildVerdict::no_answer, none.what()};
  } catch (const std::exception& error) {
    return {ChildVerdict::crashed, type_of(error) + ": " + error.what()};
  } catch (...) {
    return {ChildVerdict::crashed, "an exception of an unknown type"};
  }
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void limit_memory([[maybe_unused]] const RunLimits& limits) {
#ifndef SATURN_SANITIZED
  const rlimit limit{limits.memory_bytes, limits.memory_bytes};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

}  // namespace

FailureKind failure_kind(ChildVerdict verdict) {
  switch (verdict) {
    case ChildVerdict::broken_law:
      return FailureKind::broken_law;
    case ChildVerdict::deadlocked:
      return FailureKind::deadlocked;
    case ChildVerdict::out_of_memory:
      return FailureKind::out_of_memory;
    case ChildVerdict::no_answer:
      return FailureKind::no_answer;
    case ChildVerdict::bytes:
    case ChildVerdict::crashed:
      break;
  }
  return FailureKind::crashed;
}

void run_as_child(const ForkedTask& task, const RunLimits& limits, pid_t parent, int result_fd, int stderr_fd) {
  // A terminal sends its interrupt to children too. SimGrid would end them with an error of its own; the parent ends
  // them.
  sigset_t interrupts;
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  sigprocmask(SIG_BLOCK, &interrupts, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have died before the line above took effect.
  if (getppid() != parent) _exit(1);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(stderr_fd, STDERR_FILENO);
  limit_memory(limits);
  auto [verdict, bytes] = perform(task);
  const char first = static_cast<char>(verdict);
  const bool written = write_all(result_fd, {&first, 1}) && write_all(result_fd, bytes);
#ifdef SATURN_COVERED
  __gcov_dump();
#endif
  _exit(written ? 0 : 1);
}

}  // namespace saturn
