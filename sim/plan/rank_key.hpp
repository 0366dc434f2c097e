#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>

#include "sim/plan/formula_table.hpp"
#include "sim/plan/search_goal.hpp"
#include "sim/plan/searched_runs.hpp"

namespace saturn {

/// The order of candidates under a goal: the score, then fewer devices bought, less rent, more slack expected by the
/// formulas, the smaller number. Where a requirement is left out in favour of its own figure, slack comes first.
struct RankKey {
  double score = 0.0;
  std::array<double, 3> ties{};
  std::uint64_t candidate = 0;
};

inline bool operator<(const RankKey& a, const RankKey& b) {
  return std::tie(a.score, a.ties, a.candidate) < std::tie(b.score, b.ties, b.candidate);
}

/// With the best score that the formulas leave possible; without limit where they say nothing.
RankKey key_by_formula(const FormulaTable& table, const SearchGoal& goal, std::uint64_t candidate);

/// The scores that a simulation gives.
struct SimulatedScores {
  double mean = 0.0;
  double best = 0.0;  ///< that a full simulation may give, by the noise of the look and by formula
};

/// @returns nothing where the simulation does not know the wanted figure
std::optional<SimulatedScores> scores_by_simulation(const FormulaTable& table, const SearchGoal& goal,
                                                    std::uint64_t candidate, const SimulatedLook& look);

}  // namespace saturn
