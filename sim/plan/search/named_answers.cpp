#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/search/best_first.hpp"
#include "sim/plan/search/figures_by_bound.hpp"
#include "sim/plan/search/verdicts.hpp"

namespace saturn {

namespace {

using Standing = RequirementVerdicts::Standing;

// Rows that stand beside the answer are worth a part of its time.
constexpr std::uint64_t least_named_simulations = 100;
constexpr std::uint64_t least_named_requests = 2'000'000;
constexpr std::uint64_t answers_requests_each_of_named = 8;
constexpr int load_steps = 5;  // bisections of the load that an answer stands: to 1 % of the load

const char* const not_all_tried = "searched no longer than for the answer; others may be better";
const char* const none_confirmed = "none was confirmed before the search ended";

/// The three, one after the other, so that each knows what the others have simulated.
class NamedSearch {
 public:
  NamedSearch(const SearchState& search, std::uint64_t answer, const EvaluateEach& evaluate,
              const SearchControl& control)
      : s_(search), answer_(answer), evaluate_(evaluate), control_(control) {}

  NamedFound all() {
    find_smallest();
    const SimulatedLook* answer = runs_.find(answer_);
    const bool priced = answer != nullptr && answer->figures.find(measure("cost_per_million")) != nullptr;
    if (priced)
      find("best value", {.wanted = {measure("cost_per_million")}});
    else
      find("best value", {.wanted = {measure("throughput")}, .least = false, .per_gpu = true});
    if (!priced) add_remark("by throughput for each GPU bought, since not everything has a price");
    find_robust();
    note_equals();
    return std::move(found_);
  }

 private:
  /// One simulation of the answer takes as many requests as all of a named one may.
  bool is_too_large() const {
    const SimulatedLook* known = runs_.find(answer_);
    return known != nullptr && known->requests > most_requests_;
  }

  void add_remark(const std::string& words) {
    std::string& remark = found_.named.back().remark;
    append_part(remark, words, "; ");
  }

  BestFirstEnd search_for(const SearchGoal& goal) {
    RequirementVerdicts verdicts = s_.verdicts;
    return search_best_first({s_.space, s_.table, goal, verdicts, runs_},
                             {.most_simulations = most_simulations_, .most_requests = most_requests_});
  }

  void find(const std::string& name, const SearchGoal& goal) { say(name, search_for(goal)); }

  void say(const std::string& name, const BestFirstEnd& end) {
    add(name, end.best);
    if (!end.best) add_remark(none_confirmed);
    if (end.best && !end.complete) add_remark(not_all_tried);
  }

  void find_smallest() {
    BestFirstEnd end = search_for({.wanted = {measure("gpus")}});
    if (end.best) end.best = best_for_the_same_money(*end.best);
    say("smallest purchase", end);
  }

  /// Devices bought, and rent.
  std::pair<double, double> compute_purchase(std::uint64_t candidate) const {
    return {s_.table.best(candidate, {measure("gpus")}).value_or(0.0),
            rounded_score(s_.table.best(candidate, {measure("rent")}).value_or(0.0))};
  }

  /// The answer where it costs no more than the smallest, else the one with the best objective of those that cost the
  /// same and were simulated in full.
  std::uint64_t best_for_the_same_money(std::uint64_t smallest) const {
    const auto [gpus, rent] = compute_purchase(smallest);
    const auto [answer_gpus, answer_rent] = compute_purchase(answer_);
    if (answer_gpus <= gpus && answer_rent <= rent) return answer_;
    std::optional<RankKey> best;
    for (const auto& [candidate, look] : runs_.all()) {
      if (!s_.verdicts.meets(look)) continue;
      const auto keys = keys_by_simulation(s_.table, s_.goal, candidate, look);
      if (!keys || compute_purchase(candidate) != std::pair(gpus, rent)) continue;
      if (!best || keys->mean < *best) best = keys->mean;
    }
    return best ? best->candidate : smallest;
  }

  void add(const std::string& name, std::optional<std::uint64_t> candidate) {
    found_.named.push_back({.name = name});
    if (candidate) found_.named.back().candidate = shown_candidate(s_, *candidate);
  }

  void find_robust() {
    const std::string name = "most robust to +30 % load";
    if (too_large_) {
      add(name, std::nullopt);
      add_remark("not searched, since one simulation takes as long as many here: plan with " +
                 number_text(robust_load) + " times the load");
      say_what_the_answer_stands(false);
      return;
    }
    const SearchedSpace raised{s_.space.question, s_.space.terms, s_.space.make, s_.space.load * robust_load};
    SearchedRuns raised_runs(raised, evaluate_, control_);
    std::vector<std::uint64_t> possible;
    for (std::uint64_t c = 0; c < s_.table.size(); ++c)
      if (s_.verdicts.of(c) != Standing::missed && s_.verdicts.of(c) != Standing::undecided) possible.push_back(c);
    const FormulaTable table(raised, figures_asked(std::span(&s_.goal, 1), raised.question.requirements),
                             control_.out_of_time, possible);
    RequirementVerdicts verdicts(raised, table, std::nullopt);
    RequirementVerdicts present = s_.verdicts;
    const auto also = [&](std::uint64_t candidate) { return missed_now(present, candidate); };
    first_present_request_ = runs_.requests();
    const BestFirstEnd end =
        search_best_first({raised, table, s_.goal, verdicts, raised_runs},
                          {.most_simulations = most_simulations_, .most_requests = most_requests_, .also = also});
    const bool complete = end.complete && table.complete() && !cut_off_;
    found_.simulations += raised_runs.simulations();
    found_.requests += raised_runs.requests();
    add(name, end.best);
    if (end.best && !complete) add_remark(not_all_tried);
    if (!end.best) add_remark(complete ? "no candidate meets every requirement with 30 % more load" : none_confirmed);
    if (!end.best) say_what_the_answer_stands(verdicts.of(answer_) == Standing::missed);
  }

  /// Why a candidate that stands the raised load is not to be taken at the present one.
  std::optional<Rejection> missed_now(RequirementVerdicts& present, std::uint64_t candidate) {
    if (const SimulatedLook* known = runs_.find(candidate)) present.judge(candidate, *known);
    while (present.is_open(candidate)) {
      const SimulatedLook* known = runs_.find(candidate);
      const bool in_full = known != nullptr && known->fidelity == Fidelity::full;
      const WantedLook look = in_full ? runs_.closer(candidate) : WantedLook{candidate, Fidelity::full};
      const bool too_many = runs_.requests() - first_present_request_ >= most_requests_;
      if (too_many || !runs_.simulate(std::span(&look, 1))) {
        cut_off_ = true;
        return Rejection{.kind = RejectionKind::out_of_budget};
      }
      present.judge(candidate, *runs_.find(candidate));
    }
    if (present.of(candidate) == Standing::met) return std::nullopt;
    return *present.why(candidate);
  }

  /// @param fails_known  the search has found that it fails with the raised load
  void say_what_the_answer_stands(bool fails_known) {
    const std::uint64_t most = too_large_ ? 0 : found_.requests + most_requests_;
    double stands = 1.0;
    double fails = robust_load;
    if (!fails_known) {
      const std::optional<bool> met = answer_stands(fails, most);
      if (!met) return;
      if (*met) {
        found_.named.back() = {
            .name = found_.named.back().name, .candidate = shown_candidate(s_, answer_), .remark = not_all_tried};
        return;
      }
    }
    for (int i = 0; i < load_steps; ++i) {
      const double middle = (stands + fails) / 2;
      const std::optional<bool> met = answer_stands(middle, most);
      if (!met) {
        add_remark("the answer stands between " + percent(stands - 1.0) + " and " + percent(fails - 1.0) + " more");
        return;
      }
      (*met ? stands : fails) = middle;
    }
    add_remark(stands > 1.0 ? "the answer stands " + percent(stands - 1.0) + " more"
                            : "the answer stands less than " + percent(fails - 1.0) + " more");
  }

  /// Nothing when the time is over, or so many requests have been simulated at other loads.
  std::optional<bool> answer_stands(double load, std::uint64_t most_requests) {
    const SearchedSpace space{s_.space.question, s_.space.terms, s_.space.make, s_.space.load * load};
    // Overloaded farms take long to simulate, and need not be.
    if (misses_by_bound(space)) return false;
    if (found_.requests >= most_requests) return std::nullopt;
    SearchedRuns runs(space, evaluate_, control_);
    const WantedLook look{answer_, Fidelity::full};
    if (!runs.simulate(std::span(&look, 1))) return std::nullopt;
    found_.simulations += runs.simulations();
    found_.requests += runs.requests();
    return s_.verdicts.meets_by_mean(*runs.find(answer_));
  }

  bool misses_by_bound(const SearchedSpace& space) const {
    const CandidateFigures bound = figures_by_bound(candidate_scenario(space, answer_).scenario, space.terms);
    const std::vector<Requirement>& requirements = space.question.requirements;
    return std::any_of(requirements.begin(), requirements.end(), [&](const Requirement& requirement) {
      const CandidateFigures::Entry* entry = bound.find(requirement.figure, requirement.of);
      return entry != nullptr && misses(requirement, entry->value.mean);
    });
  }

  void note_equals() {
    std::vector<NamedAnswer>& named = found_.named;
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (!named[i].candidate) continue;
      std::string same = named[i].candidate->index == answer_ ? "the answer itself" : "";
      for (std::size_t j = 0; j < i && same.empty(); ++j)
        if (named[j].candidate && named[j].candidate->index == named[i].candidate->index)
          same = "the same as " + named[j].name;
      if (!same.empty()) named[i].remark = same + (named[i].remark.empty() ? "" : "; ") + named[i].remark;
    }
  }

  const SearchState& s_;
  std::uint64_t answer_;
  const EvaluateEach& evaluate_;
  const SearchControl& control_;
  SearchedRuns& runs_ = s_.runs;
  // Of each of the three.
  std::uint64_t most_requests_ = std::max(least_named_requests, runs_.requests() / answers_requests_each_of_named);
  bool too_large_ = is_too_large();
  std::uint64_t most_simulations_ = too_large_ ? 0 : std::max(least_named_simulations, runs_.simulations());
  NamedFound found_;
  std::uint64_t first_present_request_ = 0;  ///< at the question's load, of the search for the robust one
  bool cut_off_ = false;
};

}  // namespace

NamedFound named_answers(const SearchState& search, std::uint64_t answer, const EvaluateEach& evaluate,
                         const SearchControl& control) {
  return NamedSearch(search, answer, evaluate, control).all();
}

}  // namespace saturn
