#pragma once

#include <cstdint>
#include <vector>

#include "models/plan_search.hpp"
#include "sim/plan/formula_table.hpp"
#include "sim/plan/requirement_verdicts.hpp"
#include "sim/plan/search.hpp"
#include "sim/plan/search_goal.hpp"
#include "sim/plan/searched_runs.hpp"

namespace saturn {

/// How much more load the robust answer takes [1].
inline constexpr double robust_load = 1.3;

/// What the three named answers are found from.
struct NamedQuestion {
  const SearchedSpace& space;
  const FormulaTable& table;            ///< keeps cost_per_million and throughput as well
  const RequirementVerdicts& verdicts;  ///< of the search for the answer
  const SearchGoal& goal;               ///< of the same
  std::uint64_t answer = 0;
  const EvaluateEach& evaluate;
  const SearchControl& control;
  std::uint64_t most_simulations = 0;  ///< of each of the three
};

/// Smallest purchase, best value, and most robust to +30 % load, in this order. What they simulate at the question's
/// load is added to the runs.
/// @param other_requests  takes the simulated requests at other loads, and other_simulations their simulations
struct NamedFound {
  std::vector<NamedAnswer> named{};
  std::uint64_t simulations = 0;  ///< at other loads than the question's
  std::uint64_t requests = 0;     ///< of these
};
NamedFound named_answers(const NamedQuestion& question, SearchedRuns& runs);

}  // namespace saturn
