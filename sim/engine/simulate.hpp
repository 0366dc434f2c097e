#pragma once

#include <cstdint>
#include <string_view>

#include "models/results/run_outcome.hpp"
#include "models/values/units.hpp"
#include "sim/engine/recording/run_trace.hpp"
#include "sim/formula/system.hpp"

namespace saturn {

/// How long to simulate, in slices; the warm-up is cut between slices and the window keeps a whole number of
/// `aligned_slices`.
struct RunLength {
  Seconds slice;                     ///< length of a slice [s], > 0
  std::uint32_t slices = 0;          ///< whole run
  std::uint32_t aligned_slices = 1;  ///< the window is a multiple of so many slices (whole cycles of a periodic system)
  std::uint32_t least_warm_up = 0;   ///< slices removed at least
  /// False where event times never become steady, by the scenario's own design (arrivals that vary over the day) or
  /// fate (more of them than can be served): just least_warm_up is removed, and nothing is said about drift.
  bool settles = true;
  bool whole = false;          ///< nothing is removed: all of the run counts, from the empty system on
  std::string_view because{};  ///< what the window is so long for, in words that outlive this
};

/// Date at which a slice ends [s]. @param slice  from 0
double slice_end_s(const RunLength& length, std::uint32_t slice);

/// Date at which a run of that length ends [s].
double end_of_run_s(const RunLength& length);

/// Which of the independent repetitions of a scenario to run.
struct Replica {
  std::uint64_t seed = 42;
  std::uint32_t index = 0;  ///< from 0
  RunLength length;
  /// Let our model drain its own events without going back to SimGrid's engine at each date. Results are the same to
  /// the last bit; turned off only to prove that.
  bool drain = true;
};

/// The length that suits a scenario: enough event times for the scenario's `cycles`, a whole number of periods when
/// times are constant.
RunLength run_length_for(const System& system);

/// Simulates one replica on SimGrid, in this process. SimGrid's engine exists once a process, so call it once in a
/// forked child (sim/run does).
/// @throws std::logic_error  a law that every run must satisfy is broken, or the simulation deadlocks: our bug
/// @throws NoAnswer  nothing happens that could be measured: no event of some jobs ends, or clients only repeat
/// rejections Cost: some 0.4 µs a request, below 1 KB a client
RunOutcome simulate(const System& system, const Replica& replica);

/// A replica, and what it did in a window.
struct TracedRun {
  RunOutcome outcome{};
  RunTrace trace{};
};

/// simulate() that also records what goes on in a window. The outcome is the same to the last bit; with
/// FlowModel::simgrid and samples, whose dates SimGrid then has to meet, the same up to its rounding.
/// @param window  what lies after the run's end is left out
TracedRun simulate_traced(const System& system, const Replica& replica, const TraceWindow& window);

}  // namespace saturn
