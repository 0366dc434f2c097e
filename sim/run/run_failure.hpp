#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "models/values/units.hpp"

namespace saturn {

/// Why a run gave no result. "killed": by a signal from outside, such as a batch system's, or the kernel's where memory
/// ran out. That is the machine's, and says nothing of the run.
enum class FailureKind {
  crashed,
  killed,
  broken_law,
  deadlocked,
  out_of_memory,
  out_of_time,
  out_of_budget,
  no_answer,
  interrupted
};

/// The kind as messages print it: "crashed", "killed", "broken law", "deadlocked", "out of memory", "out of time", "out
/// of budget", "no answer", "interrupted".
const char* name_of(FailureKind kind);

/// A run that gave no result, with what is needed to repeat it.
struct RunFailure {
  FailureKind kind = FailureKind::crashed;
  std::string scenario;  ///< its title
  std::uint64_t seed = 0;
  std::uint32_t replica = 0;
  std::string message;     ///< what happened, with the signal or the law
  std::string command;     ///< reproduces this one run
  bool too_large = false;  ///< it was not begun: it cannot end within its limits
};

/// A moment at which everything that was begun together has to end; absent: time has no end.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// So much from now on; at most some years.
inline Deadline deadline_after(Seconds time) {
  using Clock = std::chrono::steady_clock;
  const std::chrono::duration<double> length(std::min(time.value, 1e8));
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(length);
}

/// A signal asks for what is known by now: from then on every deadline of this process is past.
void cut_short();
bool is_cut_short();

/// From now on the first SIGINT or SIGTERM that no SignalWatch notes cuts the answer short, and one that comes half a
/// second later or more ends the process. Children that leave signals to their parent go on to.
void let_signals_cut_short();

inline bool is_past(const Deadline& deadline) {
  return is_cut_short() || (deadline && std::chrono::steady_clock::now() >= *deadline);
}

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
