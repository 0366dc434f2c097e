#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/plan/comparison/alternatives.hpp"
#include "sim/plan/costs/purchase_terms.hpp"
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

/// An alternative with the scenario that it is.
struct AlternativeScenario {
  Alternative about;
  std::optional<Scenario> scenario;  ///< absent where it cannot be made: `about` says why
};

/// A row of the comparison.
struct ComparedAlternative {
  Alternative about;
  std::optional<AlternativeOutcome> outcome{};  ///< absent where it cannot be made: `about` says why
};

/// The alternatives with what follows from them.
struct AlternativesComparison {
  std::vector<ComparedAlternative> alternatives;
  std::vector<BreakEven> break_evens;
  std::optional<std::size_t> fastest;   ///< index: shortest mean event time
  std::vector<std::size_t> as_fast;     ///< indices that its interval cannot tell from it
  std::optional<std::size_t> cheapest;  ///< index, among those whose cost is known
  bool cores_priced = false;            ///< costs include the jobs' cores
  std::vector<QuotedPrice> prices{};    ///< that the costs rest on
};

/// Longest round trip that is looked at [s]; no two sites of a collaboration are further apart.
inline constexpr double longest_round_trip_s = 1.0;

/// Simulates all alternatives as they stand, and finds where the service among them starts to lose: the round-trip time
/// and the number of jobs a device at which its event time passes that of CPU only, of GPUs in the worker nodes, and of
/// the best of the others.
/// @param alternatives  those of alternatives(), with their scenarios
/// @param core_price    of one core of a job, instead of the scenarios' own
AlternativesComparison compare_alternatives(std::vector<AlternativeScenario> alternatives,
                                            std::optional<UsdPerHour> core_price, const Evaluate& evaluate);

}  // namespace saturn
