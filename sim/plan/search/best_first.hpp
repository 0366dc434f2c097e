#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "sim/plan/question/search_goal.hpp"
#include "sim/plan/search/candidate_space.hpp"
#include "sim/plan/search/formula_table.hpp"
#include "sim/plan/search/rank_key.hpp"
#include "sim/plan/search/requirement_verdicts.hpp"
#include "sim/plan/search/searched_runs.hpp"

namespace saturn {

/// How one search may go.
struct BestFirstTerms {
  std::uint64_t most_simulations = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most_requests = std::numeric_limits<std::uint64_t>::max();  ///< simulated; up to one batch more
  /// Asked of a candidate that meets every requirement before it counts; a reason rejects it, and nothing leaves it.
  std::function<std::optional<Rejection>(std::uint64_t)> also{};
  std::function<void(std::uint64_t)> improved{};  ///< called with each better candidate that is confirmed
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
class BestFirst {
 public:
  BestFirst(const SearchedSpace& space, const FormulaTable& table, const SearchGoal& goal, SearchedRuns& runs,
            RequirementVerdicts& verdicts, BestFirstTerms terms);

  BestFirstEnd run();

  /// True where a candidate's key comes before the best's, or there is none.
  bool may_win(std::uint64_t candidate) const;

 private:
  struct Group {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  void dive();
  std::vector<Group> groups() const;
  bool probe(const Group& group);
  void confirm_likely();
  void confirm_hope();
  void drop_outdated();
  std::vector<WantedLook> next_looks();
  std::optional<std::uint64_t> next_untouched(const std::set<std::uint64_t>& lines_of_the_batch);
  std::uint64_t representative(std::uint64_t candidate) const;
  bool raise(const std::vector<WantedLook>& looks);
  void settle(std::uint64_t candidate);
  void offer(const RankKey& key);
  RankKey key_by_formula_of(std::uint64_t candidate) const;
  RankKey possible_key(std::uint64_t candidate) const;
  void crowd_out();
  /// Missed, or undecided for good.
  bool is_rejected(std::uint64_t candidate) const;
  bool is_untouched(std::uint64_t candidate) const { return touched_[candidate] == 0; }

  const FormulaTable& table_;
  const SearchGoal& goal_;
  SearchedRuns& runs_;
  RequirementVerdicts& verdicts_;
  BestFirstTerms terms_;
  MoreIsFasterOrder faster_;
  std::vector<RankKey> order_;               ///< by formula, the best first
  std::vector<std::uint8_t> crowded_;        ///< (candidates) not to be looked at for their room alone
  std::size_t cursor_ = 0;                   ///< before it nothing is left to be looked at for the first time
  std::vector<std::uint8_t> touched_;        ///< (candidates)
  std::set<RankKey> unsettled_;              ///< simulated, but not in full, with the best that is possible
  std::map<std::uint64_t, RankKey> likely_;  ///< of them those that meet all by their means, with these
  std::optional<RankKey> best_;
  std::uint64_t first_simulation_ = 0;
  std::uint64_t first_request_ = 0;
  bool ended_ = false;
};

}  // namespace saturn
