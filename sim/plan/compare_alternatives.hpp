#pragma once

#include <optional>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/plan/alternatives.hpp"
#include "sim/plan/break_even.hpp"
#include "sim/plan/outcome_of.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/quoted_prices.hpp"

namespace saturn {

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
