#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/question/search_goal.hpp"
#include "sim/plan/search/formula_table.hpp"
#include "sim/plan/search/plan_search.hpp"
#include "sim/plan/search/requirement_verdicts.hpp"
#include "sim/plan/search/search.hpp"
#include "sim/plan/search/searched_runs.hpp"

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
  /// Of each of the three: its search ends with the batch of simulations that reaches one of them.
  std::uint64_t most_simulations = 0;
  std::uint64_t most_requests = 0;  ///< simulated; as many again to find how much more load the answer stands
};

/// Smallest purchase, best value, and most robust to +30 % load, in this order. What they simulate at the question's
/// load is added to the runs.
struct NamedFound {
  std::vector<NamedAnswer> named{};
  std::uint64_t simulations = 0;  ///< at other loads than the question's
  std::uint64_t requests = 0;     ///< of these
};
NamedFound named_answers(const NamedQuestion& question, SearchedRuns& runs);

}  // namespace saturn
