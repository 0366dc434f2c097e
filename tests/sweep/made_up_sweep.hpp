#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

#include "sim/sweep/result_log.hpp"
#include "sim/sweep/run_sweep.hpp"
#include "tests/sweep/drawn_sweeps.hpp"

/// Sweeps without a simulator, for tests of what runs them.
namespace saturn {

/// The folder of a sweep, which goes with its owner.
class ScratchSweep : public TemporaryFolder {
 public:
  /// The line of each id as its result would be written; checks that no results are in conflict.
  std::map<std::string, std::string> lines() const;
  /// The result of a made-up task.
  PointResult result(std::uint64_t point) const;
};

/// Tasks 0 to count-1; the id tells the point.
std::vector<SweepTask> made_up_tasks(std::uint64_t count);
std::string made_up_id(std::uint64_t point);

/// Those of the tasks that have no result in the folder.
std::vector<SweepTask> tasks_left(const std::vector<SweepTask>& tasks, const ScratchSweep& folder);

/// An answer that depends on the point alone.
PointAnswer made_up_answer(std::uint64_t point);

/// The lines of made-up answers to all the tasks.
std::map<std::string, std::string> expected_lines(const std::vector<SweepTask>& tasks);

/// run_sweep without a report.
SweepEnd sweep_quietly(const std::vector<SweepTask>& tasks, const AnswerPoint& answer, const ScratchSweep& folder,
                       const SweepRunOptions& options);

/// Makes the file. @returns whether it was not there before
bool mark(const std::filesystem::path& marker);

void pause_a_moment();
[[noreturn]] void sleep_for_ever();

/// Waits for something that happens in another process.
/// @returns false after half a minute
template <typename Condition>
bool wait_until(const Condition& condition) {
  for (int i = 0; i < 30000; ++i) {
    if (condition()) return true;
    pause_a_moment();
  }
  return false;
}

/// Numbers that this process and the children that it forks later share.
class SharedNumbers {
 public:
  explicit SharedNumbers(std::size_t count);
  ~SharedNumbers();
  SharedNumbers(const SharedNumbers&) = delete;
  SharedNumbers& operator=(const SharedNumbers&) = delete;

  std::atomic<std::int64_t>& operator[](std::size_t i) { return numbers_[i]; }
  std::size_t size() const { return count_; }

 private:
  std::size_t count_;
  std::atomic<std::int64_t>* numbers_;
};

/// Whether a process is gone, or waits to be reaped by a parent that is not ours.
bool is_dead(pid_t process);

/// Whether this process has children, dead or alive.
bool any_children();
std::size_t open_files();

}  // namespace saturn
