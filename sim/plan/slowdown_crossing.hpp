#pragma once

#include "scenarios/scenario.hpp"
#include "sim/plan/simulated_points.hpp"

namespace saturn {

/// Number of clients at which the simulated event time reaches (1 + slowdown)·t_ideal, with the interval that follows
/// from the intervals of the event times.
struct SlowdownCrossing {
  double clients = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// Finds the crossing for the scenario's own devices: brackets it from the bound, closes in by interpolation until the
/// bracket is two neighbouring numbers of clients, 0.3 % wide, or too narrow for the noise to tell its ends apart, and
/// interpolates there linearly.
/// @param slowdown  tolerated, > 0
/// @param guess     clients near which to look first when it lies below the bound; infinity: none but the bound
/// @throws std::domain_error  even the fewest clients are slower, or any number is within it
SlowdownCrossing find_crossing(const Scenario& scenario, double slowdown, double guess, SimulatedPoints& points);

}  // namespace saturn
