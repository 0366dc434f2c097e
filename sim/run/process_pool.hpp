#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "sim/run/run_failure.hpp"

namespace saturn {

/// What a child process computes: bytes that travel back to the parent.
using ForkedTask = std::function<std::string()>;

/// Why a child gave no bytes, with the last lines that it wrote to its stderr.
struct TaskFailure {
  FailureKind kind = FailureKind::crashed;
  std::string message;
};

/// A task that ended.
struct EndedTask {
  std::size_t ticket = 0;  ///< as submit() returned it
  std::variant<std::string, TaskFailure> result;
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
  /// @param processes  children at once; 0 = one a core that this process may use
  /// @param limits     of each child; the address space is not limited in builds with sanitizers, which reserve
  /// terabytes
  /// @param deadline   of all of them together
  ProcessPool(unsigned processes, RunLimits limits, Deadline deadline = std::nullopt);
  /// Kills what still runs and gives the signals back to whoever had them.
  ~ProcessPool();
  ProcessPool(const ProcessPool&) = delete;
  ProcessPool& operator=(const ProcessPool&) = delete;

  /// Queues a task; it starts in wait(), in the order of submission.
  /// @returns its ticket: 0, 1, 2, ...
  std::size_t submit(ForkedTask task);

  /// Waits until a task has ended, in whatever order they do.
  /// @returns nothing when every submitted task has been returned
  std::optional<EndedTask> wait();

 private:
  class Children;
  std::unique_ptr<Children> children_;
};

}  // namespace saturn
