#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/costs/purchase_terms.hpp"
#include "sim/plan/question/free_options.hpp"
#include "sim/plan/search/candidate_space.hpp"
#include "sim/plan/search/plan_search.hpp"

namespace saturn {

/// A simulated candidate, or why there is no result.
struct SearchedRun {
  Results summary{};
  std::uint64_t requests = 0;  ///< simulated, of all replications, warm-up included
  std::string failure{};       ///< in words; empty: there is a summary
  /// Each replication summarised alone, for differences between scenarios that share their random numbers; may be empty
  /// where nobody asks for these.
  std::vector<Results> replications{};
};

/// A scenario to simulate, with the settings that make it of the user's, for the command that repeats it.
struct SearchedScenario {
  Scenario scenario{};
  std::vector<Override> settings{};
};

/// Simulates scenarios side by side, with the run control that each carries. Failures of single ones are results.
/// @throws OutOfBudget  time is over before each has a result
using EvaluateEach = std::function<std::vector<SearchedRun>(std::span<const SearchedScenario>)>;

/// How a search may run.
struct SearchControl {
  std::function<bool()> out_of_time = [] { return false; };  ///< asked between simulations
  /// Called with what is known so far: after the formulas, then whenever the answer changes.
  std::function<void(const PlanSearch&)> improved{};
  std::size_t side_by_side = 2;  ///< candidates in a call of EvaluateEach; the answer does not depend on it
  bool answer_alone = false;     ///< without the three rows beside an answer, and without what would have to give
};

/// Finds the candidate that meets every requirement with the best objective. Formulas reject what cannot meet them or
/// cannot win; mean value analysis and the bounds rank the rest; simulation confirms in that order, first with short
/// runs that only reject what misses by far more than their noise, then in full. Same answer as simulating every
/// candidate in full, up to requirements that are met or missed within noise. How: docs/models/searching.md.
/// @param make  of the user's scenario
PlanSearch search_plan(const SearchQuestion& question, const PurchaseTerms& terms, const MakeScenario& make,
                       const EvaluateEach& evaluate, const SearchControl& control);

}  // namespace saturn
