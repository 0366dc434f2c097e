#include "sim/plan/search/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/formula/expenses.hpp"
#include "sim/plan/question/free_options.hpp"
#include "sim/plan/question/search_goal.hpp"
#include "sim/plan/search/best_first.hpp"
#include "sim/plan/search/formula_table.hpp"
#include "sim/plan/search/searched_runs.hpp"
#include "sim/plan/search/verdicts.hpp"

namespace saturn {

std::string_view name_of(RejectionKind kind) {
  constexpr std::array<std::string_view, 10> names{"invalid",   "bound",     "cannot win", "implied", "screened",
                                                   "simulated", "undecided", "no better",  "failed",  "out of budget"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string_view name_of(Fidelity fidelity) {
  constexpr std::array<std::string_view, 5> names{"formula", "mean value analysis", "glance", "short run", "full"};
  return names.at(static_cast<std::size_t>(fidelity));
}

namespace {

using Standing = RequirementVerdicts::Standing;

/// A search of which nothing is known but what it is about.
PlanSearch outline_of(const SearchQuestion& question) {
  return {.variables = question.space.variables(),
          .requirements = question.requirements,
          .objective = question.objective,
          .candidates = question.space.size()};
}

/// The terms of the purchase with the question's campaign.
PurchaseTerms terms_of(const SearchQuestion& question, PurchaseTerms terms) {
  if (question.campaign_events) terms.campaign_events = question.campaign_events;
  return terms;
}

// Within this of its bound a figure has nothing to gain from more devices [1].
constexpr double as_the_bound = 0.01;

Relaxation relaxation(const SearchState& search, std::size_t index, double value, std::uint64_t candidate) {
  const Requirement& requirement = search.space.question.requirements[index];
  Relaxation found{.requirement = index,
                   .needed_limit = value,
                   .relative = std::abs(excess(requirement, value)),
                   .candidate = shown_candidate(search, candidate)};
  const std::optional<double> bound = search.table.best(candidate, {requirement.figure, requirement.of});
  const CandidateFigures::Entry* jobs = found.candidate.figures.find(measure("jobs"), "");
  found.nobody_waits = requirement.at_most && bound && std::abs(value - *bound) <= as_the_bound * std::abs(*bound) &&
                       jobs != nullptr && found.candidate.saturates_at_jobs > jobs->value.mean;
  return found;
}

/// True where a look at the candidate was a full one.
bool is_simulated(const SearchState& search, std::uint64_t candidate) {
  const SimulatedLook* look = search.runs.find(candidate);
  return look != nullptr && look->fidelity == Fidelity::full;
}

/// A required figure as simulated in full, with its doubt; else the worse of the best that is possible and what shorter
/// looks have seen; nothing where it is not known.
/// @param rejections  (candidates) why the search left them
std::optional<double> known_value(const SearchState& search, const std::vector<Rejection>& rejections,
                                  std::uint64_t candidate, std::size_t requirement) {
  const Requirement& wanted = search.space.question.requirements[requirement];
  const SimulatedLook* look = search.runs.find(candidate);
  const CandidateFigures::Entry* entry =
      look != nullptr && look->failure.empty() ? look->figures.find(wanted.figure, wanted.of) : nullptr;
  if (is_simulated(search, candidate))
    return entry == nullptr ? std::nullopt : std::optional(worst_possible(wanted, entry->value, *look));
  std::optional<double> known = search.table.best(candidate, {wanted.figure, wanted.of});
  const auto see = [&](double value) {
    if (!known || excess(wanted, value) > excess(wanted, *known)) known = value;
  };
  if (entry != nullptr) see(entry->value.mean);
  // By a shorter look, or since it has less than one that missed by so much.
  const Rejection& why = rejections[candidate];
  const bool seen = why.kind == RejectionKind::implied || why.kind == RejectionKind::screened;
  if (seen && why.requirement == requirement) see(why.value);
  return known;
}

/// Of the candidates that may meet all other requirements the one that is known to miss this one by least; nothing
/// where that is not known to miss it.
std::optional<std::uint64_t> least_missing(const SearchState& search, const std::vector<Rejection>& rejections,
                                           std::size_t requirement, const RequirementVerdicts& others) {
  std::optional<std::pair<double, std::uint64_t>> least;
  for (std::uint64_t c = 0; c < search.table.size(); ++c) {
    if (others.of(c) == Standing::missed) continue;
    const std::optional<double> known = known_value(search, rejections, c, requirement);
    if (!known) continue;
    const std::pair candidate{excess(search.space.question.requirements[requirement], *known), c};
    if (!least || candidate < *least) least = candidate;
  }
  return least && least->first > 0.0 ? std::optional(least->second) : std::nullopt;
}

/// The search for the candidate that misses all requirements together by least.
class LeastMissed {
 public:
  LeastMissed(const SearchState& search, const std::vector<Rejection>& rejections)
      : search_(search), rejections_(rejections) {}

  /// True where one quantile alone is required, and every candidate is beyond thirty times its limit, by its bound or
  /// by far more than a short look's noise: systems that drown in their load take minutes to simulate.
  bool is_hopeless() const {
    constexpr double beyond = 29.0;
    if (requirements_.size() != 1 || !is_quantile(requirements_.front().figure->average)) return false;
    const auto least = by_excess();
    return !least.empty() && !is_simulated(search_, least.begin()->second) && least.begin()->first > beyond;
  }

  std::vector<Relaxation> all(std::uint64_t most_simulations) {
    std::set<std::pair<double, std::uint64_t>> least = by_excess();
    const std::uint64_t most = runs_.simulations() + most_simulations;
    // Where something is simulated, it misses by more than its bound says, so that another may then miss by less.
    while (!least.empty() && !is_simulated(search_, least.begin()->second) && runs_.simulations() < most) {
      const std::uint64_t candidate = least.begin()->second;
      const WantedLook look{candidate, Fidelity::full};
      if (!runs_.simulate(std::span(&look, 1))) break;
      least.erase(least.begin());
      add(least, candidate);
    }
    if (least.empty()) return {};
    const auto simulated =
        std::find_if(least.begin(), least.end(), [this](const auto& one) { return is_simulated(search_, one.second); });
    return relaxations((simulated == least.end() ? least.begin() : simulated)->second);
  }

 private:
  /// Candidates by the sum of their excesses.
  std::set<std::pair<double, std::uint64_t>> by_excess() const {
    std::set<std::pair<double, std::uint64_t>> least;
    for (std::uint64_t c = 0; c < table_.size(); ++c) add(least, c);
    return least;
  }

  void add(std::set<std::pair<double, std::uint64_t>>& least, std::uint64_t candidate) const {
    if (!table_.is_known(candidate) || rejections_[candidate].kind == RejectionKind::failed) return;
    double sum = 0.0;
    for (std::size_t r = 0; r < requirements_.size(); ++r) {
      const std::optional<double> known = known_value(search_, rejections_, candidate, r);
      if (known) sum += std::max(0.0, excess(requirements_[r], *known));
      if (!known && is_simulated(search_, candidate)) return;
    }
    // Nothing to give, although it was left: its shorter look was wrong. Or no limit is large enough.
    if (!std::isfinite(sum) || (sum == 0.0 && is_simulated(search_, candidate))) return;
    least.emplace(sum, candidate);
  }

  std::vector<Relaxation> relaxations(std::uint64_t candidate) const {
    std::vector<Relaxation> found;
    for (std::size_t r = 0; r < requirements_.size(); ++r) {
      const std::optional<double> known = known_value(search_, rejections_, candidate, r);
      if (!known || !(excess(requirements_[r], *known) > 0.0)) continue;
      found.push_back(relaxation(search_, r, *known, candidate));
      found.back().simulated = is_simulated(search_, candidate);
    }
    for (Relaxation& one : found) one.together = found.size() > 1;
    return found;
  }

  const SearchState& search_;
  const std::vector<Rejection>& rejections_;
  const FormulaTable& table_ = search_.table;
  const std::vector<Requirement>& requirements_ = search_.space.question.requirements;
  SearchedRuns& runs_ = search_.runs;
};

/// For every requirement the least that it must give so that one candidate meets it and all the others; the cheapest
/// first. Each is the search for the best of that requirement's figure without that requirement: simulated, or, where
/// so many simulations confirm none, by the bounds alone, as where none is allowed. A requirement that can give what it
/// likes in vain has none. Where that is so of all, those that one candidate misses must give together: the one whose
/// relative excesses have the least sum.
/// @param rejections        (candidates) why the search left them
/// @param most_simulations  for each requirement, and for all together
std::vector<Relaxation> relaxations_of(const SearchState& search, const std::vector<Rejection>& rejections,
                                       std::uint64_t most_simulations) {
  const auto& [space, table, own_goal, own_verdicts, runs] = search;
  std::vector<Relaxation> found;
  const std::vector<Requirement>& requirements = space.question.requirements;
  for (std::size_t r = 0; r < requirements.size(); ++r) {
    const FigureOf figure{requirements[r].figure, requirements[r].of};
    const SearchGoal goal{.wanted = figure, .least = requirements[r].at_most, .without = r};
    RequirementVerdicts verdicts(space, table, r);
    const BestFirstEnd end = most_simulations == 0 ? BestFirstEnd{.complete = false}
                                                   : search_best_first({space, table, goal, verdicts, runs},
                                                                       {.most_simulations = most_simulations});
    if (end.best) {
      // With its mean for a limit nobody could say whether it is met.
      found.push_back(relaxation(search, r, *known_value(search, rejections, *end.best, r), *end.best));
      found.back().simulated = true;
    } else if (!end.complete) {
      if (const auto least = least_missing(search, rejections, r, verdicts))
        found.push_back(relaxation(search, r, *known_value(search, rejections, *least, r), *least));
    }
  }
  if (found.empty()) found = LeastMissed(search, rejections).all(most_simulations);
  std::stable_sort(found.begin(), found.end(),
                   [](const Relaxation& a, const Relaxation& b) { return a.relative < b.relative; });
  return found;
}

constexpr std::size_t shown_by_formula = 10;
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
    if (control_.formulas_alone) return by_formulas();
    say_instant_answer();
    BestFirstEnd end = search();
    // What was simulated to see which requirement could give may show that none has to.
    while (may_relax(end)) {
      const std::vector<Rejection> rejections = rejections_of(state_, std::nullopt, found_.complete);
      LeastMissed least_missed(state_, rejections);
      found_.relaxations = least_missed.is_hopeless() ? least_missed.all(0)
                                                      : relaxations_of(state_, rejections, most_relaxation_simulations);
      found_.ways_out_complete = !control_.out_of_time();
      if (!judge_anew()) break;
      found_.relaxations.clear();
      end = search();
    }
    if (!control_.answer_alone) name_answers(end);
    std::optional<std::uint64_t> answer = end.best ? end.best : end.unconfirmed;
    if (!answer && !found_.complete) answer = first_by_formula();
    if (answer) found_.answer = shown_candidate(state_, *answer);
    found_.rejections = rejections_of(state_, answer, found_.complete);
    found_.undecided_better = better_if_met(state_, answer);
    count_rejections();
    found_.simulations += runs_.simulations();
    found_.simulated_requests += runs_.requests();
    add_looked_at();
    return std::move(found_);
  }

 private:
  PlanSearch by_formulas() {
    found_.formulas_alone = true;
    found_.complete = table_.complete();
    const std::optional<std::uint64_t> answer = first_by_formula();
    found_.rejections = rejections_of(state_, answer, found_.complete);
    if (answer) found_.answer = shown_candidate(state_, *answer);
    if (!answer && found_.complete) found_.relaxations = relaxations_of(state_, found_.rejections, 0);
    for (std::uint64_t c = 0; c < table_.size(); ++c)
      if (verdicts_.is_open(c) && c != answer)
        found_.rejections[c] = {
            .kind = RejectionKind::worse, .value = table_.best(c, goal_.wanted).value_or(0.0), .than = answer};
    count_rejections();
    add_looked_at();
    return std::move(found_);
  }

  enum class Says { what_improves, nothing };
  BestFirstEnd search(Says says = Says::what_improves) {
    const auto improved = [this, says](std::uint64_t candidate) {
      if (says == Says::what_improves) say(candidate);
    };
    const BestFirstEnd end = search_best_first(state_, {.improved = improved, .left = control_.left});
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
      changed = changed || verdicts_.of(candidate) != Standing::missed;
    }
    return changed;
  }

  std::vector<FigureOf> figures() const {
    const std::vector<SearchGoal> goals = {
        goal_, {.wanted = {measure("cost_per_million")}}, {.wanted = {measure("throughput")}}};
    return figures_asked(goals, space_.question.requirements);
  }

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
    now.answer = shown_candidate(state_, candidate);
    now.simulations = runs_.simulations();
    now.simulated_requests = runs_.requests();
    now.complete = false;
    control_.improved(now);
  }

  void count_rejections() {
    for (std::uint64_t c = 0; c < found_.rejections.size(); ++c)
      if (!found_.answer || found_.answer->index != c) ++found_.counts[found_.rejections[c].kind];
  }

  /// The rows beside the answer look closely at others: one that a shorter look had put behind the answer may turn out
  /// to be before it, and takes its place.
  void name_answers(BestFirstEnd& end) {
    constexpr int most_changes = 4;
    for (int change = 0; end.best; ++change) {
      add_named(*end.best);
      if (change == most_changes) return;
      const BestFirstEnd again = search(Says::nothing);
      if (again.best == end.best) return;
      end = again;
      if (end.best) say(*end.best);
    }
  }

  void add_named(std::uint64_t answer) {
    NamedFound named = named_answers(state_, answer, evaluate_, control_);
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
      found_.looked_at.push_back(shown_candidate(state_, c));
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
  SearchState state_{space_, table_, goal_, verdicts_, runs_};
  PlanSearch found_;
};

}  // namespace

PlanSearch search_plan(const SearchQuestion& question, const PurchaseTerms& terms, const MakeScenario& make,
                       const EvaluateEach& evaluate, const SearchControl& control) {
  const PurchaseTerms of_campaign = terms_of(question, terms);
  return PlannedSearch({question, of_campaign, make, 1.0, !control.formulas_alone}, evaluate, control).all();
}

}  // namespace saturn
