#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <sys/types.h>
#include <variant>

#include "sim/run/process_pool.hpp"
#include "sim/run/signal_watch.hpp"

namespace saturn {

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

}  // namespace saturn
