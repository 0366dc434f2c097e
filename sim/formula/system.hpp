#pragma once

#include <cstdint>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/closed_network.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// A scenario and what follows from it before anything is computed or simulated: derived once where the scenario comes
/// in, and passed on. A function that takes a System may be given a scenario, which is then derived for that call.
struct System {
  /// @throws std::invalid_argument  what closed_network() and asymptotic_bounds() refuse; the reader refuses such
  ///         scenarios
  /// Cost: 20 to 200 µs
  System(Scenario from);  // NOLINT(google-explicit-constructor): a scenario is a system not derived yet

  Scenario scenario;      ///< network and bounds do not depend on its `run`, which may change
  ClosedNetwork network;  ///< its resources, what an event of each pool demands of them, t_ideal
  Bounds bounds;          ///< at its own number of streams

  /// Streams at which the first resource saturates [1]; infinite where nothing is contended.
  double knee_streams() const;
};

/// Event times that a run of closed pools leaves out at its beginning, at least: where nothing is drawn, or the run is
/// brief, all jobs start within the first, and queues are full after the second.
inline constexpr std::uint64_t brief_warm_up_cycles = 2;
/// Else: no event that ends soon after the start can have begun long before, so that with times that have long tails
/// the events that end early are the short ones.
inline constexpr std::uint64_t drawn_warm_up_cycles = 5;

/// Event times that a window holds where nothing is asked for and jobs are few.
inline constexpr std::uint64_t usual_cycles = 24;

/// Event times that a run's window holds at least: what the scenario asks for, else usual_cycles, or as few as 6 where
/// in these all streams together run the events that the precision needs, and queues forget soon. See
/// docs/models/statistics.md.
std::uint64_t least_cycles(const System& system);

}  // namespace saturn
