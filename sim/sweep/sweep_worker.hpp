#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "sim/sweep/run_sweep.hpp"

namespace saturn {

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

}  // namespace saturn
