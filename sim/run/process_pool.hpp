#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/run/run_failure.hpp"

namespace saturn {

/// What a child process computes: bytes that travel back to the parent.
using ForkedTask = std::function<std::string()>;

/// Why a child gave no bytes, with the last lines that it wrote to its stderr.
struct TaskFailure {
  FailureKind kind = FailureKind::crashed;
  std::string message{};
  std::string last_words{};  ///< what the child wrote to its stderr at the end; at most 2048 characters
  int status = 0;            ///< of the child that died, as waitpid() gives it
  unsigned deaths = 0;       ///< of lasting children that died at the task
  bool begun = true;         ///< false: the system started not even one child
  bool too_large = false;    ///< it was not tried: it cannot end within its limits
};

/// A task that ended.
struct EndedTask {
  std::optional<std::size_t> ticket{};  ///< as submit() returned it; nothing: what a lasting child says at its end
  std::variant<std::string, TaskFailure> result;
};

/// Children that take one task after the other, each in a process group of its own, and that save by themselves what
/// they compute. Their pool leaves signals to its owner: at the first SIGINT, SIGTERM or SIGHUP running tasks may
/// finish, the second stops at once, and tasks that did not end are not reported. A child whose parent is gone finishes
/// its task and ends; one that takes longer than the limit of time is ended 10 s later. Cost: about 0.1 ms a task
struct LastingChildren {
  unsigned attempts = 1;                       ///< at a task whose child dies; limits of time and memory end it at once
  std::function<void(unsigned number)> begin;  ///< called first in each child, with its number: 1, 2, ...
  std::function<std::string()> end;            ///< called last in each child; bytes, if any, go to the parent
};

/// Runs tasks in forked children of this process, one child a task and at most so many at once. Children die with the
/// parent; what they print is kept from the terminal. While tasks run, SIGINT and SIGTERM kill the children, and every
/// task that has not ended is reported as interrupted; so does the deadline, with tasks out of budget.
///
/// In a child, std::bad_alloc means out_of_memory, a std::logic_error that begins with "deadlock:" deadlocked, any
/// other std::logic_error broken_law, and everything else crashed; but a signal that is no fault of its own (SIGKILL,
/// SIGXCPU) is killed. Assumes a parent with one thread, and one pool at a
/// time. Cost: about 1 ms a task
class ProcessPool {
 public:
  using Clock = std::chrono::steady_clock;

  /// @param processes  children at once; 0 = one a core that this process may use
  /// @param limits     of each child; the address space is not limited in builds with sanitizers, which reserve
  /// terabytes
  /// @param deadline   of all of them together
  /// @param lasting    children that are not one a task; they know the tasks that were submitted before the first
  /// wait()
  ProcessPool(unsigned processes, RunLimits limits, Deadline deadline = std::nullopt,
              std::optional<LastingChildren> lasting = std::nullopt);
  /// Kills what still runs and gives the signals back to whoever had them.
  ~ProcessPool();
  ProcessPool(const ProcessPool&) = delete;
  ProcessPool& operator=(const ProcessPool&) = delete;

  /// Queues a task; it starts in wait(), in the order of submission.
  /// @returns its ticket: 0, 1, 2, ...
  std::size_t submit(ForkedTask task);

  /// Waits until a task has ended, in whatever order they do.
  /// @param until  with lasting children, waiting ends then, or when a signal comes
  /// @returns nothing when every submitted task has been returned
  std::optional<EndedTask> wait(Clock::time_point until = Clock::time_point::max());

  /// Begins no more tasks, and drops those that wait.
  void let_end();

  /// From now on, and when the pool is gone, a signal is the end of all deadlines, cut_short(): what has not ended is
  /// out of budget.
  void keep_what_is_known();

  /// Every task has been returned or dropped, and no child is left.
  bool done() const;
  /// A signal came.
  bool interrupted() const;
  /// How many there are now.
  std::size_t children() const;

 private:
  class Children;
  std::unique_ptr<Children> children_;
};

/// Cores that this process may use, at least 1.
unsigned usable_cores();

/// What takes microseconds each: those from `first` to before `last`.
struct TaskRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// Works off 0 to count - 1 in ranges, in forked children on all cores; few of them, or those of a child that died, in
/// this process. Ranges depend on the count alone.
/// @param processes  children at once; 0 = one a core that this process may use
/// @param compute    bytes of a range; what it throws is thrown here, too
/// @returns the bytes of all ranges, in their order
/// @throws Interrupted  at SIGINT, SIGTERM or SIGHUP
std::vector<std::string> for_each_on_cores(std::uint64_t count, unsigned processes,
                                           const std::function<std::string(TaskRange)>& compute);

}  // namespace saturn
