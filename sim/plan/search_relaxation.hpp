#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/formula_table.hpp"
#include "sim/plan/plan_search.hpp"
#include "sim/plan/search_goal.hpp"
#include "sim/plan/searched_runs.hpp"

namespace saturn {

/// For every requirement the least that it must give so that one candidate meets it and all the others; the cheapest
/// first. Each is the search for the best of that requirement's figure without that requirement: simulated, or, where
/// so many simulations confirm none, by the bounds alone. A requirement that can give what it likes in vain has none.
/// Where that is so of all, those that one candidate misses must give together: the one whose relative excesses have
/// the least sum.
/// @param rejections        (candidates) why the search left them
/// @param most_simulations  for each requirement, and for all together
std::vector<Relaxation> relaxations_of(const SearchedSpace& space, const FormulaTable& table,
                                       const std::vector<Rejection>& rejections, SearchedRuns& runs,
                                       std::uint64_t most_simulations);

}  // namespace saturn
