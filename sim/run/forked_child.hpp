#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "sim/run/process_pool.hpp"
#include "sim/run/signals.hpp"

namespace saturn {

/// How a task ended in its child.
struct ChildReport {
  std::optional<FailureKind> failure{};
  std::string bytes{};  ///< what the task gave, or why it gave nothing
};

/// What every child of a pool knows from its birth.
struct ChildOrders {
  const std::deque<ForkedTask>& tasks;  ///< by ticket
  const RunLimits& limits;
  const std::optional<LastingChildren>& lasting;
  unsigned number = 1;  ///< how many children there have been, with this one
};

/// Exit status of a child that had not even the memory to report that it has none.
inline constexpr int out_of_memory_status = 77;

/// How a child ended.
struct ChildDeath {
  int status = 0;            ///< as waitpid() gives it
  std::string last_words{};  ///< the end of what it wrote to stderr at its last task
};

/// The parent's view of one forked child.
class ForkedChild {
 public:
  using Clock = std::chrono::steady_clock;

  /// Forks a child; a lasting one into a process group of its own, so that a terminal's Ctrl-C does not reach it.
  /// @param of_others  the parent's sockets to the other children; a copy of one in this child would keep that child
  /// waiting for a parent that has died
  /// @throws std::system_error  the system gives no process or no socket
  ForkedChild(const ChildOrders& orders, const SignalWatch& signals, const std::vector<int>& of_others);
  /// Reaps the child if it is still there, and kills it first where it may still do something.
  ~ForkedChild();
  ForkedChild(const ForkedChild&) = delete;
  ForkedChild& operator=(const ForkedChild&) = delete;

  /// To poll; readable when the child has reported or ended.
  int socket() const { return socket_; }

  /// The ticket of the task that it works at, if any.
  std::optional<std::size_t> task() const { return task_; }
  /// When that task has taken as long as it may.
  Clock::time_point deadline() const { return deadline_; }

  /// Hands out a task.
  void begin(std::size_t ticket, Clock::time_point deadline);

  /// There is nothing more to do for it: once idle it ends.
  void let_end();
  bool told_to_end() const { return told_to_end_; }

  /// Takes a report without waiting.
  std::optional<ChildReport> take_report();
  /// Its task is over.
  void end_task() { task_.reset(); }

  /// Whether it has ended, or is about to. Its reports may still wait to be taken.
  bool has_ended() const;

  /// The end of what it has written to stderr since its task began, without the white space at its end.
  std::string last_words() const;

  /// Kills it, a lasting one with all its children.
  void kill_now() const;
  /// Waits for its end.
  ChildDeath reap();

 private:
  void close_files();

  bool lasts_;
  pid_t pid_ = -1;
  int socket_ = -1;
  int last_words_ = -1;
  std::string heard_{};
  std::optional<std::size_t> task_{};
  Clock::time_point deadline_{};
  bool told_to_end_ = false;
  bool closed_ = false;  ///< the child's end of the socket is
};

}  // namespace saturn
