#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/formula_table.hpp"
#include "sim/plan/plan_search.hpp"
#include "sim/plan/requirement_verdicts.hpp"
#include "sim/plan/search_goal.hpp"
#include "sim/plan/searched_runs.hpp"

namespace saturn {

/// A candidate as reports show it: with its figures as simulated, else by formula; without a rejection.
SearchedCandidate shown_candidate(const SearchedSpace& space, const FormulaTable& table, const SearchedRuns& runs,
                                  std::uint64_t candidate);

/// How one search ended, for the reasons of those that it left.
struct SearchedReasons {
  const SearchedSpace& space;
  const FormulaTable& table;
  const RequirementVerdicts& verdicts;
  const SearchGoal& goal;
  const SearchedRuns& runs;
  std::optional<std::uint64_t> answer{};
  bool complete = true;
};

/// (candidates) Why each is not the answer; the answer's own is of kind `worse`.
std::vector<Rejection> rejections_of(const SearchedReasons& reasons);

/// The undecided ones that would be the answer, or would be before it, if they met every requirement.
std::vector<std::uint64_t> better_if_met(const SearchedReasons& reasons);

/// The rejected by formula that missed by least, at most so many.
std::vector<std::uint64_t> nearest_by_formula(const SearchedSpace& space, const std::vector<Rejection>& rejections,
                                              std::size_t most);

}  // namespace saturn
