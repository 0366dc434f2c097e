#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "sim/plan/question/free_options.hpp"
#include "sim/plan/question/search_goal.hpp"
#include "sim/plan/search/formula_table.hpp"
#include "sim/plan/search/search.hpp"
#include "sim/plan/search/searched_runs.hpp"
#include "sim/plan/search/verdicts.hpp"

namespace saturn {

/// How one search may go.
struct BestFirstTerms {
  std::uint64_t most_simulations = std::numeric_limits<std::uint64_t>::max();  ///< 0: what is known already answers
  std::uint64_t most_requests = std::numeric_limits<std::uint64_t>::max();     ///< simulated; up to one batch more
  /// Asked of a candidate that meets every requirement before it counts; a reason rejects it, and nothing leaves it.
  std::function<std::optional<Rejection>(std::uint64_t)> also{};
  std::function<void(std::uint64_t)> improved{};  ///< called with each better candidate that is confirmed
  std::function<void(std::uint64_t)> left{};      ///< called with how many candidates may still be the best
};

/// How one search ended.
struct BestFirstEnd {
  std::optional<std::uint64_t> best{};  ///< confirmed by a full simulation
  /// Met every requirement with the best score of the most thorough shorter look; where nothing is confirmed.
  std::optional<std::uint64_t> unconfirmed{};
  bool complete = true;  ///< false: others may be better, but the time or the simulations ran out
};

/// Finds the candidate that a goal ranks first among those that meet the requirements. The next candidates to be looked
/// at more closely are always those that may still be the best, by formula or by what a shorter look leaves possible;
/// so the search ends when what may be better than the confirmed best is empty. Where more of a variable is faster, the
/// most of it that may still win is tried first, since its failure is that of all with less. Batches have a fixed size,
/// so that what is simulated does not depend on the machine.
BestFirstEnd search_best_first(const SearchState& search, BestFirstTerms terms);

/// How much more load the robust answer takes [1].
inline constexpr double robust_load = 1.3;

struct NamedFound {
  std::vector<NamedAnswer> named{};
  std::uint64_t simulations = 0;  ///< at other loads than the question's
  std::uint64_t requests = 0;     ///< of these
};

/// Smallest purchase, best value, and most robust to +30 % load, in this order. What they simulate at the question's
/// load is added to the runs. Each ends with the batch of simulations that reaches as many as the answer took, or a
/// hundred, or an eighth of its requests; as many requests again find how much more load the answer stands. Where one
/// full look at the answer took more than that, what the search for it has simulated says all.
/// @param search  for the answer; its table keeps cost_per_million and throughput as well
NamedFound named_answers(const SearchState& search, std::uint64_t answer, const EvaluateEach& evaluate,
                         const SearchControl& control);

}  // namespace saturn
