#include <algorithm>
#include <set>
#include <utility>

#include "sim/plan/best_first.hpp"
#include "sim/plan/named_answers.hpp"
#include "sim/plan/search.hpp"
#include "sim/plan/search_relaxation.hpp"
#include "sim/plan/searched_outline.hpp"
#include "sim/plan/shown_candidate.hpp"

namespace saturn {

namespace {

using Verdict = RequirementVerdicts::Verdict;

constexpr std::size_t shown_by_formula = 10;
// What the search for the answer left undecided is not worth more, for rows that stand beside it.
constexpr std::uint64_t least_named_simulations = 100;
constexpr std::uint64_t least_named_requests = 2'000'000;
constexpr std::uint64_t named_requests_each_of_answer = 2;
constexpr std::uint64_t most_relaxation_simulations = 60;

/// One search from the formulas to the last remark.
class PlannedSearch {
 public:
  PlannedSearch(const SearchedSpace& space, const EvaluateEach& evaluate, const SearchControl& control)
      : space_(space),
        evaluate_(evaluate),
        control_(control),
        goal_{.wanted = {space.question.objective.figure},
              .least = space.question.objective.least,
              .room_of = space.question.requirements},
        table_(space, figures(), control.out_of_time),
        verdicts_(space, table_, std::nullopt),
        runs_(space, evaluate, control),
        found_(outline_of(space.question)) {}

  PlanSearch all() {
    say_instant_answer();
    BestFirstEnd end = search();
    // What was simulated to see which requirement could give may show that none has to.
    while (may_relax(end)) {
      const std::vector<Rejection> rejections = rejections_of(reasons(std::nullopt));
      found_.relaxations = relaxations_of(space_, table_, rejections, runs_, most_relaxation_simulations);
      if (!judge_anew()) break;
      found_.relaxations.clear();
      end = search();
    }
    std::optional<std::uint64_t> answer = end.best ? end.best : end.unconfirmed;
    if (!answer && !found_.complete) answer = first_by_formula();
    if (answer) found_.answer = shown(*answer);
    if (end.best && !control_.answer_alone) add_named(*end.best);
    found_.rejections = rejections_of(reasons(answer));
    found_.undecided_better = better_if_met(reasons(answer));
    count_rejections();
    found_.simulations += runs_.simulations();
    found_.simulated_requests += runs_.requests();
    add_looked_at();
    return std::move(found_);
  }

 private:
  BestFirstEnd search() {
    const auto improved = [this](std::uint64_t candidate) { say(candidate); };
    BestFirst search(space_, table_, goal_, runs_, verdicts_, {.improved = improved});
    const BestFirstEnd end = search.run();
    found_.complete = end.complete && table_.complete();
    return end;
  }

  bool may_relax(const BestFirstEnd& end) const {
    return !end.best && !end.unconfirmed && found_.complete && !control_.answer_alone;
  }

  /// True where full looks outweigh what has been said of candidates.
  bool judge_anew() {
    bool changed = false;
    for (const auto& [candidate, look] : runs_.all()) {
      if (!verdicts_.is_outweighed(candidate, look)) continue;
      verdicts_.judge(candidate, look);
      changed = changed || verdicts_.of(candidate) != Verdict::missed;
    }
    return changed;
  }

  SearchedReasons reasons(std::optional<std::uint64_t> answer) const {
    return {space_, table_, verdicts_, goal_, runs_, answer, found_.complete};
  }

  std::vector<FigureOf> figures() const {
    const std::vector<SearchGoal> goals = {
        goal_, {.wanted = {measure("cost_per_million")}}, {.wanted = {measure("throughput")}}};
    return figures_asked(goals, space_.question.requirements);
  }

  SearchedCandidate shown(std::uint64_t candidate) const { return shown_candidate(space_, table_, runs_, candidate); }

  /// The best candidate by the formulas alone, of those that nothing has decided.
  std::optional<std::uint64_t> first_by_formula() const {
    std::optional<RankKey> first;
    for (std::uint64_t c = 0; c < table_.size(); ++c) {
      if (!verdicts_.is_open(c)) continue;
      const RankKey key = key_by_formula(table_, goal_, c);
      if (!first || key < *first) first = key;
    }
    return first ? std::optional(first->candidate) : std::nullopt;
  }

  void say_instant_answer() {
    if (!control_.improved) return;
    if (const std::optional<std::uint64_t> first = first_by_formula()) say(*first);
  }

  void say(std::uint64_t candidate) {
    if (!control_.improved) return;
    PlanSearch now = outline_of(space_.question);
    now.answer = shown(candidate);
    now.simulations = runs_.simulations();
    now.simulated_requests = runs_.requests();
    now.complete = false;
    control_.improved(now);
  }

  void count_rejections() {
    for (std::uint64_t c = 0; c < found_.rejections.size(); ++c)
      if (!found_.answer || found_.answer->index != c) ++found_.counts[found_.rejections[c].kind];
  }

  void add_named(std::uint64_t answer) {
    const std::uint64_t most = std::max(least_named_simulations, runs_.simulations());
    const std::uint64_t requests = std::max(least_named_requests, named_requests_each_of_answer * runs_.requests());
    NamedFound named =
        named_answers({space_, table_, verdicts_, goal_, answer, evaluate_, control_, most, requests}, runs_);
    // What the rows simulated says more of a candidate than that it cannot win.
    for (const auto& [candidate, look] : runs_.all()) verdicts_.judge_alone(candidate, look);
    found_.named = std::move(named.named);
    found_.simulations += named.simulations;
    found_.simulated_requests += named.requests;
  }

  void add_looked_at() {
    std::set<std::uint64_t> looked_at;
    for (const auto& [candidate, look] : runs_.all()) looked_at.insert(candidate);
    for (const std::uint64_t c : nearest_by_formula(space_, found_.rejections, shown_by_formula)) looked_at.insert(c);
    for (const std::uint64_t c : looked_at) {
      found_.looked_at.push_back(shown(c));
      if (!found_.answer || found_.answer->index != c) found_.looked_at.back().rejection = found_.rejections[c];
    }
  }

  const SearchedSpace& space_;
  const EvaluateEach& evaluate_;
  const SearchControl& control_;
  SearchGoal goal_;
  FormulaTable table_;
  RequirementVerdicts verdicts_;
  SearchedRuns runs_;
  PlanSearch found_;
};

}  // namespace

PlanSearch search_plan(const SearchQuestion& question, const PurchaseTerms& terms, const MakeScenario& make,
                       const EvaluateEach& evaluate, const SearchControl& control) {
  const PurchaseTerms of_campaign = terms_of(question, terms);
  return PlannedSearch({question, of_campaign, make}, evaluate, control).all();
}

}  // namespace saturn
