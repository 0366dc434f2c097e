#pragma once

#include <optional>
#include <vector>

#include "models/alternatives_comparison.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/alternatives.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

/// An alternative with the scenario that it is.
struct AlternativeScenario {
  Alternative about;
  std::optional<Scenario> scenario;  ///< absent where it cannot be made: `about` says why
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
