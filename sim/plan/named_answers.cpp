#include "sim/plan/named_answers.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "sim/plan/best_first.hpp"
#include "sim/plan/plan_words.hpp"
#include "sim/plan/shown_candidate.hpp"

namespace saturn {

namespace {

using Verdict = RequirementVerdicts::Verdict;

constexpr int load_steps = 5;  // bisections of the load that an answer stands: to 1 % of the load

const char* const ended_early = "the search for it ended early: others may be better";

/// The three, one after the other, so that each knows what the others have simulated.
class NamedSearch {
 public:
  NamedSearch(const NamedQuestion& question, SearchedRuns& runs) : q_(question), runs_(runs) {}

  NamedFound all() {
    find("smallest purchase", {.wanted = {Figure::gpus}});
    const SimulatedLook* answer = runs_.find(q_.answer);
    const bool priced = answer != nullptr && answer->figures.find(Figure::cost_per_million) != nullptr;
    if (priced)
      find("best value", {.wanted = {Figure::cost_per_million}});
    else
      find("best value", {.wanted = {Figure::throughput}, .least = false, .per_gpu = true});
    if (!priced) add_remark("by throughput for each GPU bought, since not everything has a price");
    find_robust();
    note_equals();
    return std::move(found_);
  }

 private:
  void add_remark(const std::string& words) {
    std::string& remark = found_.named.back().remark;
    remark += (remark.empty() ? "" : "; ") + words;
  }

  void find(const std::string& name, const SearchGoal& goal) {
    RequirementVerdicts verdicts = q_.verdicts;
    BestFirst search(q_.space, q_.table, goal, runs_, verdicts, {.most_simulations = q_.most_simulations});
    const BestFirstEnd end = search.run();
    add(name, end.best);
    if (!end.best) add_remark("none was confirmed before the search ended");
    if (end.best && !end.complete) add_remark(ended_early);
  }

  void add(const std::string& name, std::optional<std::uint64_t> candidate) {
    found_.named.push_back({.name = name});
    if (candidate) found_.named.back().candidate = shown_candidate(q_.space, q_.table, runs_, *candidate);
  }

  void find_robust() {
    const std::string name = "most robust to +30 % load";
    const SearchedSpace raised{q_.space.question, q_.space.terms, q_.space.make, q_.space.load * robust_load};
    SearchedRuns raised_runs(raised, q_.evaluate, q_.control);
    std::vector<std::uint64_t> possible;
    for (std::uint64_t c = 0; c < q_.table.size(); ++c)
      if (q_.verdicts.of(c) != Verdict::missed) possible.push_back(c);
    const FormulaTable table(raised, figures_asked(std::span(&q_.goal, 1), raised.question.requirements),
                             q_.control.out_of_time, possible);
    RequirementVerdicts verdicts(raised, table, std::nullopt);
    RequirementVerdicts present = q_.verdicts;
    const auto also = [&](std::uint64_t candidate) { return missed_now(present, candidate); };
    BestFirst search(raised, table, q_.goal, raised_runs, verdicts,
                     {.most_simulations = q_.most_simulations, .also = also});
    const BestFirstEnd end = search.run();
    const bool complete = end.complete && table.complete() && !cut_off_;
    add(name, end.best);
    if (!end.best && complete) add_remark("no candidate meets every requirement with 30 % more load");
    if (!end.best && !complete) add_remark("none was confirmed before the search ended");
    if (end.best && !complete) add_remark(ended_early);
    found_.simulations += raised_runs.simulations();
    found_.requests += raised_runs.requests();
    if (!end.best) say_what_the_answer_stands();
  }

  /// Why a candidate that stands the raised load is not to be taken at the present one.
  std::optional<Rejection> missed_now(RequirementVerdicts& present, std::uint64_t candidate) {
    if (present.is_open(candidate)) {
      const WantedLook look{candidate, Fidelity::full};
      if (!runs_.simulate(std::span(&look, 1))) {
        cut_off_ = true;
        return Rejection{.kind = RejectionKind::out_of_budget};
      }
      present.judge(candidate, *runs_.find(candidate));
    }
    if (present.of(candidate) == Verdict::met) return std::nullopt;
    return *present.why(candidate);
  }

  void say_what_the_answer_stands() {
    double stands = 1.0;
    double fails = robust_load;
    for (int i = 0; i < load_steps; ++i) {
      const double middle = (stands + fails) / 2;
      const std::optional<bool> met = answer_stands(middle);
      if (!met) return;
      (*met ? stands : fails) = middle;
    }
    add_remark(stands > 1.0 ? "the answer stands " + percent(stands - 1.0) + " more"
                            : "the answer stands less than " + percent(fails - 1.0) + " more");
  }

  /// Nothing when the time is over.
  std::optional<bool> answer_stands(double load) {
    const SearchedSpace space{q_.space.question, q_.space.terms, q_.space.make, q_.space.load * load};
    SearchedRuns runs(space, q_.evaluate, q_.control);
    const WantedLook look{q_.answer, Fidelity::full};
    if (!runs.simulate(std::span(&look, 1))) return std::nullopt;
    found_.simulations += runs.simulations();
    found_.requests += runs.requests();
    return q_.verdicts.meets_by_mean(*runs.find(q_.answer));
  }

  void note_equals() {
    std::vector<NamedAnswer>& named = found_.named;
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (!named[i].candidate) continue;
      std::string same = named[i].candidate->index == q_.answer ? "the answer itself" : "";
      for (std::size_t j = 0; j < i && same.empty(); ++j)
        if (named[j].candidate && named[j].candidate->index == named[i].candidate->index)
          same = "the same as " + named[j].name;
      if (!same.empty()) named[i].remark = same + (named[i].remark.empty() ? "" : "; ") + named[i].remark;
    }
  }

  const NamedQuestion& q_;
  SearchedRuns& runs_;
  NamedFound found_;
  bool cut_off_ = false;
};

}  // namespace

NamedFound named_answers(const NamedQuestion& question, SearchedRuns& runs) {
  return NamedSearch(question, runs).all();
}

}  // namespace saturn
