#include "sim/run/process_pool.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cxxabi.h>
#include <deque>
#include <fcntl.h>
#include <functional>
#include <list>
#include <new>
#include <poll.h>
#include <signal.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <system_error>
#include <typeinfo>
#include <unistd.h>
#include <utility>
#include <variant>
#include <vector>

#include "models/results/run_outcome.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "sim/run/signals.hpp"
#include "sim/run/usable_cores.hpp"

#ifdef SATURN_COVERED
#include <gcov.h>
#endif

namespace saturn {

/// First byte of what a child writes; the rest is its bytes or its message.
enum class ChildVerdict : char { bytes, crashed, broken_law, deadlocked, out_of_memory, no_answer };

/// The life of a forked child: limits itself, runs the task, writes verdict and bytes, and ends without the exit
/// handlers and buffered output of its parent.
/// @param parent     process id of the parent, with which the child dies
/// @param result_fd  takes the result
/// @param stderr_fd  takes stderr
[[noreturn]] void run_as_child(const ForkedTask& task, const RunLimits& limits, pid_t parent, int result_fd,
                               int stderr_fd);

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

/// The failure that a verdict other than `bytes` stands for.
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

/// One running child with the two pipes that come from it: its result and its stderr.
class ForkedChild {
 public:
  using Clock = std::chrono::steady_clock;

  /// Forks and runs the task in the child.
  /// @throws std::system_error  the system gives no process or no pipe
  ForkedChild(const ForkedTask& task, const RunLimits& limits, const SignalWatch& signals);
  /// Kills and reaps the child if it is still there.
  ~ForkedChild();
  ForkedChild(const ForkedChild&) = delete;
  ForkedChild& operator=(const ForkedChild&) = delete;

  /// Read ends to poll; -1 once the child has closed that end.
  int result_fd() const { return result_fd_; }
  int stderr_fd() const { return stderr_fd_; }
  Clock::time_point deadline() const { return deadline_; }

  /// Takes what the pipes hold now, without blocking.
  void read_available();

  /// Nothing more can come: the child has ended or is about to.
  bool silent() const { return result_fd_ < 0 && stderr_fd_ < 0; }

  /// Reaps the child. @returns its bytes, or why there are none
  std::variant<std::string, TaskFailure> finish();

  /// Kills the child, which stop() then reaps.
  void kill_now() const;

  /// Kills and reaps the child. @returns the failure with the given reason
  TaskFailure stop(FailureKind kind, const std::string& message);

 private:
  void close_pipes();
  int reap();
  std::string with_last_words(std::string message) const;

  pid_t pid_ = -1;
  int result_fd_ = -1;
  int stderr_fd_ = -1;
  Clock::time_point deadline_;
  std::string result_;
  std::string last_words_;
};

namespace {

constexpr std::size_t kept_last_words = 2048;

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "opening a pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    if (read_end >= 0) close(read_end);
    if (write_end >= 0) close(write_end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

/// Appends what the pipe holds; closes it at its end.
void take(int& fd, std::string& text) {
  std::array<char, 65536> buffer;
  while (fd >= 0) {
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else if (count < 0 && errno == EAGAIN) {
      return;
    } else {
      close(fd);
      fd = -1;
    }
  }
}

std::string signal_text(int number) {
  const char* name = sigabbrev_np(number);
  const char* description = sigdescr_np(number);
  return std::string("killed by ") + (name ? "SIG" + std::string(name) : "signal " + std::to_string(number)) +
         (description ? " (" + std::string(description) + ")" : "");
}

}  // namespace

ForkedChild::ForkedChild(const ForkedTask& task, const RunLimits& limits, const SignalWatch& signals) {
  Pipe result;
  Pipe errors;
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "starting a process");
  if (pid == 0) {
    signals.become_child();
    run_as_child(task, limits, parent, result.write_end, errors.write_end);
  }
  pid_ = pid;
  result_fd_ = std::exchange(result.read_end, -1);
  stderr_fd_ = std::exchange(errors.read_end, -1);
  for (const int fd : {result_fd_, stderr_fd_}) fcntl(fd, F_SETFL, O_NONBLOCK);
  deadline_ = *deadline_after(limits.time);
}

ForkedChild::~ForkedChild() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    reap();
  }
  close_pipes();
}

void ForkedChild::close_pipes() {
  if (result_fd_ >= 0) close(std::exchange(result_fd_, -1));
  if (stderr_fd_ >= 0) close(std::exchange(stderr_fd_, -1));
}

int ForkedChild::reap() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

void ForkedChild::read_available() {
  take(result_fd_, result_);
  take(stderr_fd_, last_words_);
  if (last_words_.size() > kept_last_words) last_words_.erase(0, last_words_.size() - kept_last_words);
}

std::string ForkedChild::with_last_words(std::string message) const {
  const std::string_view words = trimmed_end(last_words_, " \n\r\t");
  return words.empty() ? message : std::move(message) + "; its last words were: " + std::string(words);
}

std::variant<std::string, TaskFailure> ForkedChild::finish() {
  const int status = reap();
  close_pipes();
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    if (number == SIGTERM) return TaskFailure{FailureKind::interrupted, "stopped by SIGTERM"};
    // An allocation that fails where nothing may throw ends in abort(), and only these words tell why.
    const bool memory = number == SIGABRT && last_words_.find("std::bad_alloc") != std::string::npos;
    const FailureKind other = is_own_fault(number) ? FailureKind::crashed : FailureKind::killed;
    return TaskFailure{memory ? FailureKind::out_of_memory : other, with_last_words(signal_text(number))};
  }
  if (WEXITSTATUS(status) == 0 && !result_.empty()) {
    const ChildVerdict verdict{result_.front()};
    result_.erase(0, 1);
    if (verdict == ChildVerdict::bytes) return std::move(result_);
    return TaskFailure{failure_kind(verdict), with_last_words(std::move(result_))};
  }
  return TaskFailure{FailureKind::crashed, with_last_words("ended with exit status " +
                                                           std::to_string(WEXITSTATUS(status)) + " and no result")};
}

void ForkedChild::kill_now() const {
  kill(pid_, SIGKILL);
}

TaskFailure ForkedChild::stop(FailureKind kind, const std::string& message) {
  kill_now();
  reap();
  read_available();
  close_pipes();
  return {kind, with_last_words(message)};
}

namespace {

std::string out_of_time(const RunLimits& limits) {
  return "stopped after its limit of " + significant(limits.time.value, 6) + " s";
}

}  // namespace

const char* name_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::crashed:
      return "crashed";
    case FailureKind::killed:
      return "killed";
    case FailureKind::broken_law:
      return "broken law";
    case FailureKind::deadlocked:
      return "deadlocked";
    case FailureKind::out_of_memory:
      return "out of memory";
    case FailureKind::no_answer:
      return "no answer";
    case FailureKind::out_of_time:
      return "out of time";
    case FailureKind::out_of_budget:
      return "out of budget";
    case FailureKind::interrupted:
      return "interrupted";
  }
  return "crashed";
}

class ProcessPool::Children {
 public:
  Children(unsigned processes, RunLimits limits, Deadline deadline)
      : most_(processes > 0 ? processes : usable_cores()), limits_(limits), deadline_(deadline) {}

  std::size_t submit(ForkedTask task) {
    waiting_.push_back({submitted_, std::move(task)});
    return submitted_++;
  }

  std::optional<EndedTask> wait() {
    while (ended_.empty()) {
      if (signals_.interrupted()) stop_everything(FailureKind::interrupted, "interrupted");
      if (is_past(deadline_)) {
        collect();
        stop_everything(FailureKind::out_of_budget, "stopped at the end of the budget");
      }
      start_waiting();
      if (!ended_.empty()) break;
      if (running_.empty()) return std::nullopt;
      listen();
      collect();
    }
    EndedTask first = std::move(ended_.front());
    ended_.pop_front();
    return first;
  }

 private:
  struct Waiting {
    std::size_t ticket;
    ForkedTask task;
  };
  struct Running {
    Running(const Waiting& next, const RunLimits& limits, const SignalWatch& signals)
        : ticket(next.ticket), child(next.task, limits, signals) {}
    std::size_t ticket;
    ForkedChild child;
  };

  void start_waiting() {
    while (!waiting_.empty() && running_.size() < most_) {
      try {
        running_.emplace_back(waiting_.front(), limits_, signals_);
      } catch (const std::system_error& error) {
        // What the system lacks now it may have once one of ours has ended.
        if (!running_.empty()) return;
        ended_.push_back({waiting_.front().ticket, TaskFailure{FailureKind::crashed, error.what()}});
      }
      waiting_.pop_front();
    }
  }

  void listen() {
    std::vector<pollfd> pipes;
    auto deadline = deadline_.value_or(ForkedChild::Clock::time_point::max());
    for (const Running& run : running_) {
      // poll skips negative descriptors: a pipe that has been closed.
      pipes.push_back({run.child.result_fd(), POLLIN, 0});
      pipes.push_back({run.child.stderr_fd(), POLLIN, 0});
      deadline = std::min(deadline, run.child.deadline());
    }
    const timespec time = time_until(deadline);
    // A failing poll (EINTR, or too little memory for a moment) is no answer: the callers look again.
    ppoll(pipes.data(), pipes.size(), &time, signals_.wait_mask());
  }

  void collect() {
    const auto now = ForkedChild::Clock::now();
    for (auto run = running_.begin(); run != running_.end();) {
      run->child.read_available();
      if (run->child.silent()) {
        ended_.push_back({run->ticket, run->child.finish()});
      } else if (run->child.deadline() <= now) {
        ended_.push_back({run->ticket, run->child.stop(FailureKind::out_of_time, out_of_time(limits_))});
      } else {
        ++run;
        continue;
      }
      run = running_.erase(run);
    }
  }

  void stop_everything(FailureKind kind, const std::string& why) {
    // The system needs a while to take back much memory: all children give theirs back at once.
    for (Running& run : running_) run.child.kill_now();
    for (Running& run : running_) ended_.push_back({run.ticket, run.child.stop(kind, why)});
    running_.clear();
    for (const Waiting& task : waiting_) ended_.push_back({task.ticket, TaskFailure{kind, why + " before it began"}});
    waiting_.clear();
  }

  std::size_t most_;
  RunLimits limits_;
  Deadline deadline_;
  SignalWatch signals_;
  std::size_t submitted_ = 0;
  std::deque<Waiting> waiting_;
  std::list<Running> running_;
  std::deque<EndedTask> ended_;
};

ProcessPool::ProcessPool(unsigned processes, RunLimits limits, Deadline deadline)
    : children_(std::make_unique<Children>(processes, limits, deadline)) {}

ProcessPool::~ProcessPool() = default;

std::size_t ProcessPool::submit(ForkedTask task) {
  return children_->submit(std::move(task));
}

std::optional<EndedTask> ProcessPool::wait() {
  return children_->wait();
}

}  // namespace saturn
