#pragma once

#include <functional>

#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

/// What is varied until the winner changes.
enum class BreakEvenOf { round_trip_time, jobs_per_device };

/// Where a growing quantity makes one alternative lose against another: event times are equal there.
struct BreakEvenPoint {
  enum class Where {
    at,      ///< `value`, within the range
    never,   ///< it wins over the whole range
    always,  ///< it loses over the whole range
  };
  Where where = Where::at;
  Estimate value;  ///< [s] or [1]; where == at
};

struct BreakEven {
  BreakEvenOf of = BreakEvenOf::round_trip_time;
  std::string service;  ///< the alternative that is varied
  std::string against;  ///< the one whose event time stays
  double lowest = 0.0;  ///< of the range that was searched [s] or [1]
  double highest = 0.0;
  double present = 0.0;        ///< the scenario's own value [s] or [1]
  BreakEvenPoint formula{};    ///< by the asymptotic bounds of both
  BreakEvenPoint simulated{};  ///< both simulated with the same random numbers
  std::size_t simulations = 0;
};

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
