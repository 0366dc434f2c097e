#pragma once

#include <stdexcept>
#include <string>

#include "scenarios/scenario.hpp"
#include "sim/plan/one_search.hpp"
#include "sim/plan/plan.hpp"

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
 public:
  FewestTooSlow(const std::string& text, const Estimate& slowdown) : std::domain_error(text), slowdown_(slowdown) {}
  /// Their event time over t_ideal.
  const Estimate& slowdown() const { return slowdown_; }

 private:
  Estimate slowdown_;
};

/// No number of clients saturates anything.
class NothingShared : public std::domain_error {
  using std::domain_error::domain_error;
};

/// Finds the crossing for the scenario's own devices: brackets it from the bound, closes in by interpolation until the
/// bracket is two neighbouring numbers of clients, 0.3 % wide, or too narrow for the noise to tell its ends apart, and
/// interpolates there linearly.
/// @param slowdown  tolerated, > 0
/// @param guess     clients near which to look first when it lies below the bound; infinity: none but the bound
/// @throws FewestTooSlow      even the fewest clients are slower
/// @throws NothingShared      any number is within it
/// @throws std::domain_error  one job of each kind saturates something already, or the simulated times scatter too much
SlowdownCrossing find_crossing(const Scenario& scenario, double slowdown, double guess, SimulatedPoints& points);

}  // namespace saturn
