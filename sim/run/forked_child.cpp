#include "sim/run/forked_child.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <fcntl.h>
#include <new>
#include <signal.h>
#include <stdexcept>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <tuple>
#include <typeinfo>
#include <unistd.h>
#include <utility>

#include "models/results/run_outcome.hpp"
#include "models/words/texts.hpp"

#ifdef SATURN_COVERED
#include <gcov.h>
#endif

namespace saturn {

/// The life of a forked child: limits itself, takes one task after the other from its socket, reports each one's end,
/// and ends, without the exit handlers and buffered output of its parent, where the parent has closed its end of the
/// socket or has died.
/// @param parent      process id of the parent; a child that does not last dies with it
/// @param socket      a task is its ticket (std::size_t), a report its size (std::size_t), its failure (char), its
/// bytes
/// @param last_words  file that takes stderr, from each task's begin on; negative: stderr is lost
[[noreturn]] void live_as_child(const ChildOrders& orders, pid_t parent, int socket, int last_words);

namespace {

/// First byte of a report, in the place of its failure.
constexpr char no_failure = -1;

/// Seconds that a lasting child without a parent may compute beyond the limit of its task before it is ended.
constexpr unsigned orphan_grace_s = 10;

std::string type_of(const std::exception& exception) {
  int status = 0;
  char* name = abi::__cxa_demangle(typeid(exception).name(), nullptr, nullptr, &status);
  std::string text = status == 0 ? name : typeid(exception).name();
  std::free(name);
  return text;
}

ChildReport perform(const ForkedTask& task) {
  try {
    return {.bytes = task()};
  } catch (const std::bad_alloc&) {
    return {FailureKind::out_of_memory, "the run asked for more memory than its limit"};
  } catch (const std::logic_error& error) {
    const bool deadlock = std::string_view(error.what()).starts_with("deadlock:");
    return {deadlock ? FailureKind::deadlocked : FailureKind::broken_law, error.what()};
  } catch (const NoAnswer& none) {
    return {FailureKind::no_answer, none.what()};
  } catch (const std::exception& error) {
    return {FailureKind::crashed, type_of(error) + ": " + error.what()};
  } catch (...) {
    return {FailureKind::crashed, "an exception of an unknown type"};
  }
}

/// @returns false where the parent is gone: that must not end the child by SIGPIPE
bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool send_report(int socket, const ChildReport& report) {
  const std::size_t size = report.bytes.size() + 1;
  std::string begin(reinterpret_cast<const char*>(&size), sizeof size);
  begin += report.failure ? static_cast<char>(*report.failure) : no_failure;
  return send_all(socket, begin) && send_all(socket, report.bytes);
}

std::optional<std::size_t> next_task(int socket) {
  std::size_t ticket = 0;
  ssize_t count = 0;
  do count = recv(socket, &ticket, sizeof ticket, MSG_WAITALL);
  while (count < 0 && errno == EINTR);
  if (count != sizeof ticket) return std::nullopt;
  return ticket;
}

void limit_memory([[maybe_unused]] const RunLimits& limits) {
#ifndef SATURN_SANITIZED
  const rlimit limit{limits.memory_bytes, limits.memory_bytes};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

void leave_terminal(int last_words) {
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(last_words >= 0 ? last_words : nowhere, STDERR_FILENO);
}

void die_with(pid_t parent) {
  // A terminal sends its interrupt to children too. SimGrid would end them with an error of its own; the parent ends
  // them.
  sigset_t interrupts;
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  sigprocmask(SIG_BLOCK, &interrupts, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have died before the line above took effect.
  if (getppid() != parent) _exit(1);
}

/// Takes tasks until the parent has no more or is gone.
void work_off(const ChildOrders& orders, int socket) {
  // The parent watches the limit. Should it have died, an alarm (which no clock that is set moves) keeps a lasting
  // child from living on at a task without end.
  const double longest_s = std::clamp(orders.limits.time.value, 0.0, 1e8);
  const unsigned alarm_s = orders.lasting ? static_cast<unsigned>(std::ceil(longest_s)) + orphan_grace_s : 0;
  while (const std::optional<std::size_t> ticket = next_task(socket)) {
    std::ignore = ftruncate(STDERR_FILENO, 0);  // last words are those of one task
    alarm(alarm_s);
    const ChildReport report = perform(orders.tasks[*ticket]);
    alarm(0);
    if (!send_report(socket, report)) break;
  }
  if (!orders.lasting) return;
  const std::string bytes = orders.lasting->end();
  if (!bytes.empty()) send_report(socket, {.bytes = bytes});
}

}  // namespace

void live_as_child(const ChildOrders& orders, pid_t parent, int socket, int last_words) {
  int status = 1;
  try {
    leave_terminal(last_words);
    if (orders.lasting) {
      signal(SIGALRM, SIG_DFL);
      orders.lasting->begin(orders.number);
    } else {
      die_with(parent);
    }
    limit_memory(orders.limits);
    work_off(orders, socket);
    status = 0;
  } catch (const std::bad_alloc&) {
    status = out_of_memory_status;
  } catch (const std::exception& error) {
    std::fputs(error.what(), stderr);
  } catch (...) {
    std::fputs("an exception of an unknown type", stderr);
  }
#ifdef SATURN_COVERED
  __gcov_dump();
#endif
  _exit(status);
}

namespace {

constexpr std::size_t kept_last_words = 2048;

}  // namespace

ForkedChild::ForkedChild(const ChildOrders& orders, const SignalWatch& signals, const std::vector<int>& of_others)
    : lasts_(orders.lasting.has_value()) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::system_error(errno, std::generic_category(), "opening a socket");
  socket_ = ends[0];
  // A file, not a pipe: nobody has to read along, and a child without a parent may still write.
  last_words_ = memfd_create("last words of a child", MFD_CLOEXEC);
  if (last_words_ >= 0) fcntl(last_words_, F_SETFL, O_APPEND);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) {
    const int reason = errno;
    close(ends[1]);
    close_files();
    throw std::system_error(reason, std::generic_category(), "starting a process");
  }
  if (pid_ == 0) {
    if (lasts_) {
      setpgid(0, 0);
      signals.become_worker();
    } else {
      signals.become_child();
    }
    close(ends[0]);
    for (const int other : of_others) close(other);
    live_as_child(orders, parent, ends[1], last_words_);
  }
  // Both do it, so that the group is there whoever comes first.
  if (lasts_) setpgid(pid_, pid_);
  close(ends[1]);
}

ForkedChild::~ForkedChild() {
  if (pid_ > 0) {
    if (lasts_ || task_) kill_now();
    reap();
  }
  close_files();
}

void ForkedChild::close_files() {
  for (int* file : {&socket_, &last_words_}) {
    if (*file >= 0) close(std::exchange(*file, -1));
  }
}

void ForkedChild::begin(std::size_t ticket, Clock::time_point deadline) {
  task_ = ticket;
  deadline_ = deadline;
  // Where the child has died meanwhile, its end of the socket tells so afterwards.
  send_all(socket_, {reinterpret_cast<const char*>(&ticket), sizeof ticket});
}

void ForkedChild::let_end() {
  shutdown(socket_, SHUT_WR);
  told_to_end_ = true;
}

std::optional<ChildReport> ForkedChild::take_report() {
  std::array<char, 65536> buffer;
  while (true) {
    std::size_t size = 0;
    if (heard_.size() >= sizeof size) {
      std::memcpy(&size, heard_.data(), sizeof size);
      if (heard_.size() - sizeof size >= size) {
        const char failure = heard_[sizeof size];
        ChildReport report{.bytes = heard_.substr(sizeof size + 1, size - 1)};
        if (failure != no_failure) report.failure = FailureKind{failure};
        heard_.erase(0, sizeof size + size);
        return report;
      }
    }
    if (closed_) return std::nullopt;
    const ssize_t count = recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return std::nullopt;
    if (count > 0)
      heard_.append(buffer.data(), static_cast<std::size_t>(count));
    else
      closed_ = true;
  }
}

bool ForkedChild::has_ended() const {
  if (closed_) return true;
  // Children that it left behind may keep its end of the socket open.
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
}

std::string ForkedChild::last_words() const {
  if (last_words_ < 0) return "";
  const off_t size = lseek(last_words_, 0, SEEK_END);
  std::string text(kept_last_words, '\0');
  const ssize_t count =
      pread(last_words_, text.data(), text.size(), std::max(size - static_cast<off_t>(kept_last_words), off_t{0}));
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return std::string(trimmed_end(text, " \n\r\t"));
}

void ForkedChild::kill_now() const {
  // As long as the child is not reaped, the number of its group can be nobody else's.
  if (lasts_) kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
}

ChildDeath ForkedChild::reap() {
  ChildDeath death;
  while (waitpid(pid_, &death.status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  death.last_words = last_words();
  return death;
}

}  // namespace saturn
