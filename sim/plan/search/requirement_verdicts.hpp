#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/plan/question/search_goal.hpp"
#include "sim/plan/search/candidate_space.hpp"
#include "sim/plan/search/formula_table.hpp"
#include "sim/plan/search/plan_search.hpp"
#include "sim/plan/search/searched_runs.hpp"

namespace saturn {

/// Half of the range in which a figure's full value is, as good as certainly, judged by a shorter look: so many widths
/// of its own interval that 0.5 % at most lie beyond, and never less than what short windows may be off by; half as
/// much again for quantiles [unit of the figure]. 0 of a full look; infinite where its replications do not bound it.
double noise_margin(MeasureId figure, const Estimate& estimate, const SimulatedLook& look);

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
  /// True when a full look's intervals lie within the limit of every requirement.
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
  /// The requirement whose interval holds its limit, with that; of several the first.
  std::optional<Rejection> undecided(const SimulatedLook& look) const;

  const SearchedSpace& space_;
  std::optional<std::size_t> without_;
  MoreIsFasterOrder faster_;
  bool one_model_ = false;
  std::vector<Standing> verdicts_;
  std::unordered_map<std::uint64_t, Rejection> reasons_;
};

}  // namespace saturn
