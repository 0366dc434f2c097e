#pragma once

#include <sys/types.h>

#include "sim/run/process_pool.hpp"

namespace saturn {

/// First byte of what a child writes; the rest is its bytes or its message.
enum class ChildVerdict : char { bytes, crashed, broken_law, deadlocked, out_of_memory, no_answer };

/// The failure that a verdict other than `bytes` stands for.
FailureKind failure_kind(ChildVerdict verdict);

/// The life of a forked child: limits itself, runs the task, writes verdict and bytes, and ends without the exit
/// handlers and buffered output of its parent.
/// @param parent     process id of the parent, with which the child dies
/// @param result_fd  takes the result
/// @param stderr_fd  takes stderr
[[noreturn]] void run_as_child(const ForkedTask& task, const RunLimits& limits, pid_t parent, int result_fd,
                               int stderr_fd);

}  // namespace saturn
