#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "sim/plan/question/search_goal.hpp"
#include "sim/plan/search/formula_table.hpp"
#include "sim/plan/search/plan_search.hpp"
#include "sim/plan/search/requirement_verdicts.hpp"
#include "sim/plan/search/searched_runs.hpp"

namespace saturn {

/// The order of candidates under a goal: the score, then fewer devices bought, less rent, whether the requirements have
/// room, more slack expected by the formulas, the smaller number. Where a requirement is left out in favour of its own
/// figure, slack comes first.
struct RankKey {
  double score = 0.0;
  std::array<double, 4> ties{};
  std::uint64_t candidate = 0;
};

/// Where `ties` says, of a goal with every requirement, that room is short: 0 or 1.
inline constexpr std::size_t tight_tie = 2;

inline bool operator<(const RankKey& a, const RankKey& b) {
  return std::tie(a.score, a.ties, a.candidate) < std::tie(b.score, b.ties, b.candidate);
}

/// Less room than this is worth a look at what costs the same [1].
inline constexpr double ample_room = 0.1;

/// How far the figures stay from the limits, relative to these, where they come nearest; simulated figures only.
/// Infinite where the requirements have none.
double room_of(const FormulaTable& table, std::span<const Requirement> requirements, const CandidateFigures& figures);

/// With the best score and room that the formulas leave possible; without limit where they say nothing.
RankKey key_by_formula(const FormulaTable& table, const SearchGoal& goal, std::uint64_t candidate);

/// The keys that a simulation gives.
struct SimulatedKeys {
  RankKey mean{};
  RankKey best{};  ///< that a full simulation may give, by the noise of the look and by formula
};

/// @returns nothing where the simulation does not know the wanted figure
std::optional<SimulatedKeys> keys_by_simulation(const FormulaTable& table, const SearchGoal& goal,
                                                std::uint64_t candidate, const SimulatedLook& look);

/// Of the candidates that meet everything and are as good and buy as much as the best, the one with the most simulated
/// room; the best itself where no other has more.
std::uint64_t roomiest_equal(const FormulaTable& table, const SearchGoal& goal, const SearchedRuns& runs,
                             const RequirementVerdicts& verdicts, std::uint64_t best);

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
