#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "sim/run/signal_watch.hpp"
#include "sim/sweep/sweep_worker.hpp"
#include "sim/sweep/worker_report.hpp"

namespace saturn {

/// How a worker ended.
struct WorkerDeath {
  int status = 0;            ///< as waitpid() gives it
  std::string last_words{};  ///< the end of what it wrote to stderr at its last point

  /// The system gave it no more memory.
  bool out_of_memory() const;
  /// Its own alarm ended it, long after its parent should have.
  bool out_of_time() const;
  /// By a signal that is no fault of its own.
  bool killed_from_outside() const;
  /// "was killed 3 times, last by signal 9 (Killed)", "ended twice without a result, last with exit status 1"
  std::string in_words(unsigned deaths) const;
};

/// The parent's view of one forked worker.
class ForkedWorker {
 public:
  using Clock = std::chrono::steady_clock;

  /// Forks a worker into a process group of its own, so that a terminal's Ctrl-C does not reach it.
  /// @param of_others  the parent's sockets to the other workers; a copy of one in this worker would keep that worker
  /// waiting for a parent that has died
  /// @throws std::system_error  the system gives no process or no socket
  ForkedWorker(const SweepJob& job, const std::string& log_name, const SignalWatch& signals,
               const std::vector<int>& of_others);
  /// Kills the worker with all its children and reaps it, if it is still there.
  ~ForkedWorker();
  ForkedWorker(const ForkedWorker&) = delete;
  ForkedWorker& operator=(const ForkedWorker&) = delete;

  /// To poll; readable when the worker has reported or ended.
  int socket() const { return socket_; }

  /// The index of the task that it works at, if any.
  std::optional<std::size_t> task() const { return task_; }
  /// When that task has taken as long as it may.
  Clock::time_point deadline() const { return deadline_; }

  /// Hands out a task.
  void begin(std::size_t task, Clock::time_point deadline);

  /// There is nothing more to do for it: once idle, it brings its results to the disk and ends.
  void let_end();
  bool told_to_end() const { return told_to_end_; }

  /// Takes a report without waiting; the task it is about is over then.
  std::optional<WorkerReport> take_report();

  /// Whether it has ended, or is about to. Its reports may still wait to be taken.
  bool has_ended() const;

  /// Kills it with all its children, where it has not ended, and reaps it.
  WorkerDeath reap();

 private:
  void close_files();

  pid_t pid_ = -1;
  int socket_ = -1;
  int last_words_ = -1;
  std::optional<std::size_t> task_{};
  Clock::time_point deadline_{};
  bool told_to_end_ = false;
  bool closed_ = false;  ///< the worker's end of the socket is
};

}  // namespace saturn
