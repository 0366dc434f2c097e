#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "sim/plan/question/free_options.hpp"
#include "sim/plan/question/search_goal.hpp"
#include "sim/plan/search/formula_table.hpp"
#include "sim/plan/search/search.hpp"
#include "sim/plan/search/searched_runs.hpp"

/// Which candidates meet the requirements, the order in which they stand, and why the others are left.

namespace saturn {

/// Half of the range in which a figure's full value is, as good as certainly, judged by a shorter look: so many widths
/// of its own interval that 0.5 % at most lie beyond, and never less than what short windows may be off by; half as
/// much again for quantiles [unit of the figure]. 0 of a full look; infinite where its replications do not bound it.
double noise_margin(MeasureId figure, const Estimate& estimate, const SimulatedLook& look);

/// The worst that a full look leaves possible of a required figure: the end of its interval; of a first look, which may
/// be made longer, a value twice as far from the mean.
double worst_possible(const Requirement& requirement, const Estimate& value, const SimulatedLook& look);

/// Which candidates meet the requirements, as far as that is known, and why the others do not.
class RequirementVerdicts {
 public:
  enum class Standing : std::uint8_t { open, missed, undecided, met };

  /// Begins with what the formulas reject.
  /// @param without  index of a requirement that is left out
  RequirementVerdicts(const SearchedSpace& space, const FormulaTable& table, std::optional<std::size_t> without);

  Standing of(std::uint64_t candidate) const { return verdicts_[candidate]; }
  bool is_open(std::uint64_t candidate) const { return of(candidate) == Standing::open; }
  /// Why a candidate missed that the formulas did not reject, or is undecided; null otherwise.
  const Rejection* why(std::uint64_t candidate) const;

  /// Judges a candidate by its simulation, and with it, where it misses, those that have less of what makes faster. A
  /// full look outweighs what shorter ones, or those of others, have said of it: what they led to is open again.
  void judge(std::uint64_t candidate, const SimulatedLook& look);
  /// The same for the candidate alone.
  void judge_alone(std::uint64_t candidate, const SimulatedLook& look);
  /// True when the look's means meet every requirement.
  bool meets_by_mean(const SimulatedLook& look) const;
  /// True when a full look decides that every requirement is met.
  bool meets(const SimulatedLook& look) const;
  /// True when a full look outweighs what has been said of the candidate, so that it is to be judged anew.
  bool is_outweighed(std::uint64_t candidate, const SimulatedLook& look) const;
  void reject(std::uint64_t candidate, Rejection reason);

 private:
  /// The worst requirement that is missed by more than noise; of those alone that fail with less of what makes faster,
  /// where so asked.
  std::optional<Rejection> missed(const SimulatedLook& look, bool monotone_only) const;
  bool is_monotone(const Requirement& requirement) const;
  void imply(std::uint64_t candidate, Rejection reason);
  void reopen(std::uint64_t candidate);
  /// Of a full look that misses nothing.
  void decide(std::uint64_t candidate, const SimulatedLook& look);
  /// The requirement that is missed by the worst that is possible, with its interval; of several the first.
  std::optional<Rejection> undecided(const SimulatedLook& look) const;

  const SearchedSpace& space_;
  std::optional<std::size_t> without_;
  MoreIsFasterOrder faster_;
  bool one_model_ = false;
  std::vector<Standing> verdicts_;
  std::unordered_map<std::uint64_t, Rejection> reasons_;
};

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

/// One search: what it is about, and what it knows so far.
struct SearchState {
  const SearchedSpace& space;
  const FormulaTable& table;
  const SearchGoal& goal;
  RequirementVerdicts& verdicts;
  SearchedRuns& runs;
};

/// Of the candidates that meet everything and are as good and buy as much as the best, the one with the most simulated
/// room; the best itself where no other has more.
std::uint64_t roomiest_equal(const SearchState& search, std::uint64_t best);

/// A candidate as reports show it: with its figures as simulated, else by formula; without a rejection.
SearchedCandidate shown_candidate(const SearchState& search, std::uint64_t candidate);

/// (candidates) Why each is not the answer; the answer's own is of kind `worse`.
/// @param complete  the search did not run out of time
std::vector<Rejection> rejections_of(const SearchState& search, std::optional<std::uint64_t> answer, bool complete);

/// The undecided ones that would be the answer, or would be before it, if they met every requirement.
std::vector<std::uint64_t> better_if_met(const SearchState& search, std::optional<std::uint64_t> answer);

/// The rejected by formula that missed by least, at most so many.
std::vector<std::uint64_t> nearest_by_formula(const SearchedSpace& space, const std::vector<Rejection>& rejections,
                                              std::size_t most);

}  // namespace saturn
