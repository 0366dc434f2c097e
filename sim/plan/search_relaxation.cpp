#include "sim/plan/search_relaxation.hpp"

#include <algorithm>
#include <optional>

#include "sim/plan/best_first.hpp"
#include "sim/plan/shown_candidate.hpp"

namespace saturn {

namespace {

using Verdict = RequirementVerdicts::Verdict;

Relaxation relaxation(const Requirement& requirement, std::size_t index, double value, SearchedCandidate candidate) {
  return {.requirement = index,
          .needed_limit = value,
          .relative = std::abs(excess(requirement, value)),
          .candidate = std::move(candidate)};
}

/// The candidate with the best value by formula among those that may meet the other requirements.
std::optional<std::uint64_t> best_by_formula(const FormulaTable& table, const SearchGoal& goal,
                                             const RequirementVerdicts& verdicts) {
  std::optional<RankKey> best;
  for (std::uint64_t c = 0; c < table.size(); ++c) {
    if (verdicts.of(c) == Verdict::missed || !table.best(c, goal.wanted)) continue;
    const RankKey key = key_by_formula(table, goal, c);
    if (!best || key < *best) best = key;
  }
  return best ? std::optional(best->candidate) : std::nullopt;
}

}  // namespace

std::vector<Relaxation> relaxations_of(const SearchedSpace& space, const FormulaTable& table, SearchedRuns& runs,
                                       std::uint64_t most_simulations) {
  std::vector<Relaxation> found;
  const std::vector<Requirement>& requirements = space.question.requirements;
  for (std::size_t r = 0; r < requirements.size(); ++r) {
    const FigureOf figure{requirements[r].figure, requirements[r].of};
    const SearchGoal goal{.wanted = figure, .least = requirements[r].at_most, .without = r};
    RequirementVerdicts verdicts(space, table, r);
    BestFirst search(space, table, goal, runs, verdicts, {.most_simulations = most_simulations});
    const BestFirstEnd end = search.run();
    if (end.best) {
      SearchedCandidate shown = shown_candidate(space, table, runs, *end.best);
      const CandidateFigures::Entry* entry = shown.figures.find(figure.figure, figure.of);
      const double value = entry->value.mean;
      found.push_back(relaxation(requirements[r], r, value, std::move(shown)));
      found.back().simulated = true;
    } else if (!end.complete) {
      if (const auto best = best_by_formula(table, goal, verdicts))
        found.push_back(
            relaxation(requirements[r], r, *table.best(*best, figure), shown_candidate(space, table, runs, *best)));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Relaxation& a, const Relaxation& b) { return a.relative < b.relative; });
  return found;
}

}  // namespace saturn
