#include "tests/plan/search_all.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/plan/question/search_goal.hpp"
#include "sim/plan/search/formula_table.hpp"
#include "sim/plan/search/searched_runs.hpp"
#include "sim/plan/search/verdicts.hpp"

namespace saturn {

PlanSearch search_all(const SearchQuestion& question, const PurchaseTerms& terms, const MakeScenario& make,
                      const EvaluateEach& evaluate) {
  const SearchControl control;
  PurchaseTerms of_campaign = terms;
  if (question.campaign_events) of_campaign.campaign_events = question.campaign_events;
  const SearchedSpace space{question, of_campaign, make};
  const SearchGoal goal{
      .wanted = {question.objective.figure}, .least = question.objective.least, .room_of = question.requirements};
  const FormulaTable table(space, figures_asked(std::span(&goal, 1), question.requirements), control.out_of_time);
  SearchedRuns runs(space, evaluate, control);
  std::vector<WantedLook> all;
  for (std::uint64_t c = 0; c < table.size(); ++c)
    if (table.is_known(c)) all.push_back({c, Fidelity::full});
  runs.simulate(all);

  // Judged by nothing but its own simulation: neither by formula nor by what others did.
  RequirementVerdicts verdicts(space, table, std::nullopt);
  for (const WantedLook& look : all) {
    const auto decided = [&] {
      verdicts.judge_alone(look.candidate, *runs.find(look.candidate));
      return !verdicts.is_open(look.candidate);
    };
    while (!decided()) {
      const WantedLook closer = runs.closer(look.candidate);
      runs.simulate(std::span(&closer, 1));
    }
  }
  const SearchState state{space, table, goal, verdicts, runs};
  std::optional<RankKey> best;
  for (const auto& [candidate, look] : runs.all()) {
    if (verdicts.of(candidate) != RequirementVerdicts::Standing::met) continue;
    const auto keys = keys_by_simulation(table, goal, candidate, look);
    if (keys && (!best || keys->mean < *best)) best = keys->mean;
  }

  PlanSearch found{.variables = question.space.variables(),
                   .requirements = question.requirements,
                   .objective = question.objective,
                   .candidates = question.space.size()};
  std::optional<std::uint64_t> answer;
  if (best) answer = roomiest_equal(state, best->candidate);
  if (answer) found.answer = shown_candidate(state, *answer);
  found.rejections = rejections_of(state, answer, true);
  found.undecided_better = better_if_met(state, answer);
  for (std::uint64_t c = 0; c < table.size(); ++c) {
    if (c != answer) ++found.counts[found.rejections[c].kind];
    if (runs.find(c) == nullptr) continue;
    found.looked_at.push_back(shown_candidate(state, c));
    if (c != answer) found.looked_at.back().rejection = found.rejections[c];
  }
  found.simulations = runs.simulations();
  found.simulated_requests = runs.requests();
  return found;
}

}  // namespace saturn
