#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/formula/system.hpp"
#include "sim/plan/one_search.hpp"

/// Clients for the devices that there are: where their events become slower than is tolerated.

namespace saturn {

/// Number of clients at which the simulated event time reaches (1 + slowdown)·t_ideal, with the interval that follows
/// from the intervals of the event times.
struct SlowdownCrossing {
  double clients = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// Even the fewest clients that the jobs allow are slower than tolerated, although nothing is saturated.
class FewestTooSlow : public std::domain_error {
  using std::domain_error::domain_error;
};

/// No number of clients saturates anything.
class NothingShared : public std::domain_error {
  using std::domain_error::domain_error;
};
/// @throws NothingShared  with the reason
[[noreturn]] void refuse_nothing_shared(const Scenario& scenario);

/// What is looked for, and how closely.
struct CrossingGoal {
  double slowdown = 0.01;   ///< tolerated, > 0
  double guess = 0.0;       ///< clients near which to look first when it lies below the bound; infinity: none
  double precision = 0.01;  ///< wanted half-width of the number of clients, relative
};

/// Finds the crossing for the scenario's own devices: brackets it from the bound, and simulates where the crossing is
/// expected, as carefully as it takes until its number of clients is known to the wanted precision, or no more care is
/// left. How: docs/models/planning.md.
/// @throws FewestTooSlow      even the fewest clients are slower
/// @throws NothingShared      any number is within it
/// @throws std::domain_error  one job of each kind saturates something already, or the simulated times scatter too much
SlowdownCrossing find_crossing(const System& system, const CrossingGoal& goal, SimulatedPoints& points);

}  // namespace saturn
