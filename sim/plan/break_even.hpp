#pragma once

#include <functional>

#include "models/alternatives_comparison.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

/// An alternative as a function of one quantity, along which its event time never falls.
struct VariedAlternative {
  std::function<Scenario(double)> scenario;        ///< to simulate
  std::function<double(double)> bound_event_time;  ///< lower bound of its event time [s]
  double lowest = 0.0;
  double highest = 0.0;
  double resolution = 0.0;  ///< differences below this make no other scenario, or mean nothing; part of intervals
};

/// Where the bound of the one reaches that of the other, by bisection.
/// @param against_s  bound of the other's event time [s]
BreakEvenPoint break_even_by_formula(const VariedAlternative& varied, double against_s);

/// Where the simulated event time of the one reaches that of the other: brackets it round the formula's answer, closes
/// in by interpolation and bisection with the scenario's seed, and gives the interval that follows from the intervals
/// of both event times over the local slope.
/// @param against     simulated event time of the other [s]
/// @param guess       the formula's answer
/// @param simulations takes the number of simulated scenarios
BreakEvenPoint break_even_by_simulation(const VariedAlternative& varied, const Estimate& against,
                                        const BreakEvenPoint& guess, const Evaluate& evaluate,
                                        std::size_t& simulations);

}  // namespace saturn
