#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "scenarios/document/complaints.hpp"
#include "sim/run/signals.hpp"
#include "sim/sweep/run_sweep.hpp"

namespace saturn {

/// How a point ended in its worker. Its result is in the worker's file; "unsaved": it could not be written there.
enum class PointEnd : char { answered, failed, unsaved };

/// What a worker tells its parent about a point.
struct WorkerReport {
  PointEnd end = PointEnd::answered;
  std::vector<Complaint> complaints{};  ///< why the result could not be saved
};

/// The most that a report takes [byte]; of complaints, what goes beyond is cut off.
inline constexpr std::size_t longest_report = 32768;

/// The report as one message.
std::string report_bytes(const WorkerReport& report);

/// @returns nothing where the bytes are no report
std::optional<WorkerReport> report_from(std::string_view bytes);

/// What every worker of a sweep knows from its birth.
struct SweepJob {
  std::span<const SweepTask> tasks;
  const AnswerPoint& answer;
  const std::filesystem::path& folder;
  const SweepRunOptions& options;
};

/// Exit status of a worker that had not even the memory to write down that it has none.
inline constexpr int out_of_memory_status = 77;

/// Seconds that a worker without a parent may compute beyond the limit of its point before it is ended.
inline constexpr unsigned orphan_grace_s = 10;

/// A failure as the row of its point.
PointResult failed_point(std::string kind, std::string reason);

/// The failures that a limit of the options brought about.
PointResult out_of_memory_point(const SweepRunOptions& options);
PointResult out_of_time_point(const SweepRunOptions& options);

/// The life of a forked worker: takes one task after the other from its socket, appends each result to a file of its
/// own, and then says so. It ends where the parent has closed its end of the socket, or has died.
/// @param socket      of whole messages: a task is its index among the tasks (std::size_t), a report is report_bytes()
/// @param last_words  file that takes stderr; holds what was written since the last task began
[[noreturn]] void live_as_worker(const SweepJob& job, const std::string& log_name, int socket, int last_words);

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
