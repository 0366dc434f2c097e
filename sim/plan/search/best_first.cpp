#include "sim/plan/search/best_first.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "models/values/search_order.hpp"
#include "sim/plan/one_search.hpp"

namespace saturn {

namespace {

constexpr std::size_t full_at_once = 1;
// Fixed, so that the answer does not depend on how many simulations a machine runs side by side.
constexpr std::size_t batch = 8;
constexpr std::size_t batches_between_hopes = 4;
// Equal purchases that are looked at for the room that they may leave; which, the formulas decide.
constexpr std::size_t most_for_room = 24;
constexpr std::size_t most_groups = 256;
constexpr std::size_t probed = 8;
constexpr std::size_t confirmed_at_once = 3;
constexpr int most_confirmations = 4;

/// One search; what is known so far.
class BestFirst {
 public:
  BestFirst(const SearchState& search, BestFirstTerms terms)
      : search_(search),
        terms_(std::move(terms)),
        faster_(search.space.question.space),
        crowded_(table_.size(), 0),
        touched_(table_.size(), 0),
        first_simulation_(runs_.simulations()),
        first_request_(runs_.requests()),
        ended_(terms_.most_simulations == 0) {
    for (std::uint64_t c = 0; c < table_.size(); ++c)
      if (verdicts_.of(c) != RequirementVerdicts::Standing::missed) order_.push_back(key_by_formula(table_, goal_, c));
    std::sort(order_.begin(), order_.end());
    crowd_out();
  }

  BestFirstEnd run() {
    // What other searches have simulated is known here too.
    for (const auto& [candidate, look] : runs_.all())
      if (!is_rejected(candidate)) settle(candidate);
    say_left();
    if (!best_) dive();
    for (std::size_t batches = 1; !ended_; ++batches) {
      const std::vector<WantedLook> looks = next_looks();
      if (looks.empty()) break;
      raise(looks);
      // A better one to beat leaves less to look at, and is worth having should the time end.
      if (batches % batches_between_hopes == 0) confirm_hope();
    }
    BestFirstEnd end{.complete = !ended_};
    if (best_) {
      end.best = roomiest_equal(search_, best_->candidate);
    } else if (ended_) {
      std::optional<std::pair<int, RankKey>> most;
      for (const auto& [candidate, key] : likely_) {
        const std::pair<int, RankKey> now{-static_cast<int>(runs_.find(candidate)->fidelity), key};
        if (!most || now < *most) most = now;
      }
      if (most) end.unconfirmed = most->second.candidate;
    }
    return end;
  }

 private:
  struct Group {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  void crowd_out() {
    if (goal_.room_of.empty()) return;
    std::size_t equal = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const bool same = i > 0 && order_[i].score == order_[i - 1].score && order_[i].ties[0] == order_[i - 1].ties[0] &&
                        order_[i].ties[1] == order_[i - 1].ties[1];
      equal = same ? equal + 1 : 0;
      if (equal >= most_for_room) crowded_[order_[i].candidate] = 1;
    }
    for (RankKey& key : order_) key = key_by_formula_of(key.candidate);
    std::sort(order_.begin(), order_.end());
  }

  RankKey key_by_formula_of(std::uint64_t candidate) const {
    RankKey key = key_by_formula(table_, goal_, candidate);
    if (crowded_[candidate] != 0) key.ties[tight_tie] = 1.0;
    return key;
  }

  void confirm_hope() {
    std::optional<RankKey> hope;
    for (const auto& [candidate, key] : likely_)
      if (!hope || key < *hope) hope = key;
    if (ended_ || !hope || (best_ && !(*hope < *best_))) return;
    raise({runs_.closer(hope->candidate)});
  }

  RankKey possible_key(std::uint64_t candidate) const {
    RankKey key = key_by_formula_of(candidate);
    const SimulatedLook* look = runs_.find(candidate);
    if (look == nullptr) return key;
    if (const auto keys = keys_by_simulation(table_, goal_, candidate, *look)) key = keys->best;
    if (crowded_[candidate] != 0 && look->fidelity != Fidelity::full) key.ties[tight_tie] = 1.0;
    return key;
  }

  /// True where a candidate's key comes before the best's, or there is none.
  bool may_win(std::uint64_t candidate) const { return !best_ || possible_key(candidate) < *best_; }

  /// Missed, or undecided for good.
  bool is_rejected(std::uint64_t candidate) const {
    const RequirementVerdicts::Standing verdict = verdicts_.of(candidate);
    return verdict == RequirementVerdicts::Standing::missed || verdict == RequirementVerdicts::Standing::undecided;
  }

  bool raise(const std::vector<WantedLook>& looks) {
    const bool all = runs_.simulate(looks);
    for (const WantedLook& look : looks)
      if (runs_.find(look.candidate) != nullptr && !is_rejected(look.candidate)) settle(look.candidate);
    if (!all || runs_.simulations() - first_simulation_ >= terms_.most_simulations ||
        runs_.requests() - first_request_ >= terms_.most_requests)
      ended_ = true;
    say_left();
    return !ended_;
  }

  void say_left() const {
    if (!terms_.left) return;
    const auto end = best_ ? std::lower_bound(order_.begin(), order_.end(), *best_) : order_.end();
    terms_.left(static_cast<std::uint64_t>(std::count_if(order_.begin(), end, [this](const RankKey& key) {
      return verdicts_.is_open(key.candidate) && (is_untouched(key.candidate) || may_win(key.candidate));
    })));
  }

  void settle(std::uint64_t candidate) {
    const SimulatedLook& look = *runs_.find(candidate);
    touched_[candidate] = 1;
    likely_.erase(candidate);
    verdicts_.judge(candidate, look);
    if (is_rejected(candidate)) return;
    const std::optional<SimulatedKeys> keys = keys_by_simulation(table_, goal_, candidate, look);
    if (!keys) {
      verdicts_.reject(candidate, {.kind = RejectionKind::failed,
                                   .words = "its " + std::string(goal_.wanted.figure->words) + " is not known"});
      return;
    }
    if (verdicts_.of(candidate) == RequirementVerdicts::Standing::met) {
      offer(keys->best);
      return;
    }
    unsettled_.insert(possible_key(candidate));
    if (verdicts_.meets_by_mean(look)) likely_.insert_or_assign(candidate, keys->mean);
  }

  void offer(const RankKey& key) {
    if (best_ && !(key < *best_)) return;
    if (terms_.also) {
      if (std::optional<Rejection> reason = terms_.also(key.candidate)) {
        verdicts_.reject(key.candidate, std::move(*reason));
        return;
      }
    }
    best_ = key;
    if (terms_.improved) terms_.improved(key.candidate);
  }

  void drop_outdated() {
    while (!unsettled_.empty()) {
      const RankKey& first = *unsettled_.begin();
      // A closer look leaves the key of the one before it behind.
      if (verdicts_.is_open(first.candidate) && !(first < possible_key(first.candidate))) return;
      unsettled_.erase(unsettled_.begin());
    }
  }

  std::vector<WantedLook> next_looks() {
    std::vector<WantedLook> looks;
    std::size_t full_looks = 0;
    std::set<std::uint64_t> lines;
    while (looks.size() < batch) {
      drop_outdated();
      const std::optional<std::uint64_t> fresh = next_untouched(lines);
      const bool simulated_first = !unsettled_.empty() && (!fresh || *unsettled_.begin() < key_by_formula_of(*fresh));
      if (simulated_first) {
        const RankKey key = *unsettled_.begin();
        if (best_ && !(key < *best_)) break;
        unsettled_.erase(unsettled_.begin());
        looks.push_back(runs_.closer(key.candidate));
        // What one full look finds may spare the next.
        if (looks.back().fidelity == Fidelity::full && ++full_looks == full_at_once) break;
      } else {
        if (!fresh || !may_win(*fresh)) break;
        const std::uint64_t candidate = representative(*fresh);
        lines.insert(faster_.line_of(candidate));
        touched_[candidate] = 1;
        looks.push_back({candidate, Fidelity::glance});
      }
    }
    return looks;
  }

  std::optional<std::uint64_t> next_untouched(const std::set<std::uint64_t>& lines_of_the_batch) {
    const auto is_left = [this](std::size_t i) {
      return is_untouched(order_[i].candidate) && verdicts_.is_open(order_[i].candidate);
    };
    while (cursor_ < order_.size() && !is_left(cursor_)) ++cursor_;
    for (std::size_t i = cursor_; i < order_.size(); ++i) {
      if (best_ && !(order_[i] < *best_)) return std::nullopt;
      if (is_left(i) && !lines_of_the_batch.contains(faster_.line_of(order_[i].candidate))) return order_[i].candidate;
    }
    return std::nullopt;
  }

  std::uint64_t representative(std::uint64_t candidate) const {
    for (const std::size_t variable : faster_.variables()) {
      std::vector<std::uint64_t> path = {candidate};
      bool survivor_above = false;
      for (auto more = faster_.one_more(candidate, variable); more; more = faster_.one_more(*more, variable)) {
        if (!verdicts_.is_open(*more) || !may_win(*more)) break;
        survivor_above = !is_untouched(*more);
        if (survivor_above) break;
        path.push_back(*more);
      }
      candidate = survivor_above ? path[(path.size() - 1) / 2] : path.back();
    }
    return candidate;
  }

  bool is_untouched(std::uint64_t candidate) const { return touched_[candidate] == 0; }

  // The part of a search that looks for a first candidate that meets the requirements, so that everything after it has
  // something to beat: by bisection over the candidates in the order of their scores, since what costs more is more
  // likely to be fast enough.

  std::vector<Group> groups() const {
    const std::size_t least = order_.size() / most_groups + 1;
    std::vector<Group> all;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const bool same = !all.empty() && (order_[i].score == order_[i - 1].score || i - all.back().begin < least);
      if (same)
        all.back().end = i + 1;
      else
        all.push_back({i, i + 1});
    }
    return all;
  }

  bool probe(const Group& group) {
    std::vector<RankKey> open;
    for (std::size_t i = group.begin; i < group.end; ++i)
      if (verdicts_.is_open(order_[i].candidate) && is_untouched(order_[i].candidate)) open.push_back(order_[i]);
    const std::size_t looks = std::min(probed, open.size());
    std::partial_sort(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(looks), open.end(),
                      [this](const RankKey& a, const RankKey& b) {
                        return std::pair(table_.expected_slowdown(a.candidate), a.candidate) <
                               std::pair(table_.expected_slowdown(b.candidate), b.candidate);
                      });
    std::vector<WantedLook> wanted;
    for (std::size_t i = 0; i < looks; ++i) wanted.push_back({open[i].candidate, Fidelity::glance});
    raise(wanted);
    const bool met = best_ && std::any_of(wanted.begin(), wanted.end(),
                                          [this](const WantedLook& w) { return best_->candidate == w.candidate; });
    return met || std::any_of(wanted.begin(), wanted.end(),
                              [this](const WantedLook& w) { return likely_.contains(w.candidate); });
  }

  void confirm_likely() {
    for (int i = 0; i < most_confirmations && !best_ && !ended_ && !likely_.empty(); ++i) {
      std::vector<RankKey> keys;
      for (const auto& [candidate, key] : likely_) keys.push_back(key);
      std::sort(keys.begin(), keys.end());
      std::vector<WantedLook> looks;
      for (const RankKey& key : keys) {
        const Fidelity known = runs_.find(key.candidate)->fidelity;
        if (looks.size() < confirmed_at_once && known < Fidelity::short_run)
          looks.push_back({key.candidate, runs_.after_glance(key.candidate)});
      }
      if (!looks.empty() && i == 0)
        raise(looks);
      else
        raise({runs_.find(keys.front().candidate)->fidelity == Fidelity::full
                   ? runs_.closer(keys.front().candidate)
                   : WantedLook{keys.front().candidate, Fidelity::full}});
    }
  }

  void dive() {
    const std::vector<Group> all = groups();
    if (all.empty()) return;
    // Once the search has ended nothing more is probed.
    const auto meets = [&](std::uint64_t group) { return ended_ || probe(all[group - 1]); };
    if (!least_accepted({.enough = all.size(), .last = all.size()}, meets)) return;
    confirm_likely();
  }

  const SearchState search_;
  const FormulaTable& table_ = search_.table;
  const SearchGoal& goal_ = search_.goal;
  SearchedRuns& runs_ = search_.runs;
  RequirementVerdicts& verdicts_ = search_.verdicts;
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
  bool ended_;
};

}  // namespace

BestFirstEnd search_best_first(const SearchState& search, BestFirstTerms terms) {
  return BestFirst(search, std::move(terms)).run();
}

}  // namespace saturn
