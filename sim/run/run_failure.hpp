#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "models/units.hpp"

namespace saturn {

/// Why a run gave no result. "killed": by a signal from outside, such as a batch system's, or the kernel's where memory
/// ran out. That is the machine's, and says nothing of the run.
enum class FailureKind { crashed, killed, broken_law, deadlocked, out_of_memory, out_of_time, no_answer, interrupted };

/// The kind as messages print it: "crashed", "killed", "broken law", "deadlocked", "out of memory", "out of time", "no
/// answer", "interrupted".
const char* name_of(FailureKind kind);

/// A run that gave no result, with what is needed to repeat it.
struct RunFailure {
  FailureKind kind = FailureKind::crashed;
  std::string scenario;  ///< its title
  std::uint64_t seed = 0;
  std::uint32_t replica = 0;
  std::string message;  ///< what happened, with the signal or the law
  std::string command;  ///< reproduces this one run
};

/// A signal came while something was worked out that is no run: nothing is answered.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What one run may use.
struct RunLimits {
  Seconds time{600.0};                      ///< wall time of one run
  std::uint64_t memory_bytes = 8ull << 30;  ///< address space of one run
};

}  // namespace saturn
