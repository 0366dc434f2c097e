#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/values/units.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// The kind of a failure that came from outside: a batch system's signal, or the kernel's for want of memory. Such a
/// point is computed again whenever the sweep is called again.
inline constexpr const char* killed_kind = "killed";

/// A point that gives no answer. One of kind "killed" is tried again first, as one whose worker dies. What is thrown in
/// its place counts as a failure of kind "crashed".
class PointFailed : public std::runtime_error {
 public:
  PointFailed(std::string kind, const std::string& reason) : std::runtime_error(reason), kind_(std::move(kind)) {}
  const std::string& kind() const { return kind_; }

 private:
  std::string kind_;
};

/// What a worker computes. Called in a forked child, which may fork children of its own; what it throws fails the
/// point.
using AnswerPoint = std::function<PointAnswer(std::uint64_t point)>;

/// A point to compute.
struct SweepTask {
  std::uint64_t point = 0;
  std::string id{};
};

/// How the workers run. Nothing of it changes results, but for points that the limits end.
struct SweepRunOptions {
  unsigned workers = 0;                     ///< 0 = one a core that this process may use
  Seconds point_time{3600.0};               ///< wall time of one point
  std::uint64_t point_memory = 8ull << 30;  ///< address space of the worker that computes it [byte]
  /// Of all of it: then running points are stopped, and no more are begun.
  std::optional<std::chrono::steady_clock::time_point> deadline{};
  unsigned attempts = 3;             ///< at a point whose worker dies, or that is killed
  std::string log_name = "";         ///< before "worker-1" in the names of result files: "shard-0003-of-0008."
  std::function<void()> in_child{};  ///< called first in each worker: lets go of what is the parent's alone
  /// Points take microseconds, for which no worker is worth its while: they are computed one after the other by this
  /// process, without limits, and an interrupt ends it; what was computed is saved.
  bool without_workers = false;
};

/// How far a sweep is.
struct SweepProgress {
  std::uint64_t done = 0;    ///< by this call, failed ones included
  std::uint64_t failed = 0;  ///< by this call
  std::uint64_t tasks = 0;   ///< of this call
  unsigned workers = 0;
  double elapsed_s = 0.0;
  double remaining_s = 0.0;  ///< at the rate so far; 0 before the first point is done
  bool stopping = false;     ///< an interrupt came: running points are finished and saved
};

struct SweepEnd {
  SweepProgress progress{};
  bool interrupted = false;
  bool out_of_time = false;  ///< the deadline came before all points were computed
  /// What workers wrote to stderr right before they died at a point that failed, with the point's number; at most 20.
  /// It may differ between machines, so that it is no part of the results.
  std::vector<std::string> last_words{};
};

/// Computes points in forked workers, each of which appends its results to a file of its own in `folder`, in the order
/// of the tasks as workers become free. The first SIGINT, SIGTERM or SIGHUP lets running points finish, the second
/// stops at once. A worker that dies is replaced and its point tried again; after `attempts` the point is a failure of
/// kind "killed", or "crashed" where the worker ended by its own fault. A worker whose parent is gone ends after its
/// point. Failures of kind "out of time", "out of memory", "killed" are the machine's. Assumes a process with one
/// thread. Cost: about 0.1 ms a point
/// @param report  called when something changed, at most ten times a second, and once a second at least
/// @throws InputError  sweep.not_writable, sweep.disk_full: running points are finished where they can be saved;
/// sweep.no_process: the system starts not even one worker
SweepEnd run_sweep(std::span<const SweepTask> tasks, const AnswerPoint& answer, const std::filesystem::path& folder,
                   const SweepRunOptions& options, const std::function<void(const SweepProgress&)>& report);

/// Whether a failure is the machine's and not the point's, so that it may go away where there is more time or memory.
bool is_of_machine(const std::string& failure);

/// Foretells how long a sweep still takes, from the last half of the time that it has taken (30 s at least): points
/// that are computed late may take longer than the first.
class SweepRate {
 public:
  /// @param tasks  points in all
  explicit SweepRate(std::uint64_t tasks) : tasks_(tasks) {}

  /// @param done       points so far, never less than before
  /// @param elapsed_s  time so far [s], never less than before
  /// @returns [s]; 0 before the first point is done
  double remaining_s(std::uint64_t done, double elapsed_s);

 private:
  struct Sample {
    double elapsed_s;
    std::uint64_t done;
  };

  std::uint64_t tasks_;
  std::deque<Sample> samples_{{0.0, 0}};
};

/// Counts how far a sweep is and tells of it: when something changed, at most ten times a second, and once a second
/// at least. Time comes from a clock that nobody sets.
class SweepMeter {
 public:
  using Clock = std::chrono::steady_clock;

  SweepMeter(std::uint64_t tasks, const std::function<void(const SweepProgress&)>& report);

  void note_point(bool failed);
  void note_workers(std::size_t workers);
  void note_stopping();

  /// Tells of it if it is time to.
  void tell_if_due();
  /// Tells of it in any case.
  void tell();

  /// When it will be time to tell of it.
  Clock::time_point due() const;
  const SweepProgress& progress() const { return progress_; }

 private:
  const std::function<void(const SweepProgress&)>& report_;
  SweepProgress progress_{};
  SweepRate rate_;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point told_{};
  bool changed_ = true;
};

}  // namespace saturn
