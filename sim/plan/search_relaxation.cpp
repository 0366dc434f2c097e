#include "sim/plan/search_relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

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

/// The search for the candidate that misses all requirements together by least.
class LeastMissed {
 public:
  LeastMissed(const SearchedSpace& space, const FormulaTable& table, const std::vector<Rejection>& rejections,
              SearchedRuns& runs)
      : space_(space), table_(table), rejections_(rejections), runs_(runs) {}

  std::vector<Relaxation> all(std::uint64_t most_simulations) {
    std::set<std::pair<double, std::uint64_t>> least;
    for (std::uint64_t c = 0; c < table_.size(); ++c) add(least, c);
    const std::uint64_t most = runs_.simulations() + most_simulations;
    // Where something is simulated, it misses by more than its bound says, so that another may then miss by less.
    while (!least.empty() && !is_simulated(least.begin()->second) && runs_.simulations() < most) {
      const std::uint64_t candidate = least.begin()->second;
      const WantedLook look{candidate, Fidelity::full};
      if (!runs_.simulate(std::span(&look, 1))) break;
      least.erase(least.begin());
      add(least, candidate);
    }
    if (least.empty()) return {};
    const auto simulated =
        std::find_if(least.begin(), least.end(), [this](const auto& one) { return is_simulated(one.second); });
    return relaxations((simulated == least.end() ? least.begin() : simulated)->second);
  }

 private:
  bool is_simulated(std::uint64_t candidate) const {
    const SimulatedLook* look = runs_.find(candidate);
    return look != nullptr && look->fidelity == Fidelity::full;
  }

  /// As simulated in full, with its noise, else the best that is possible; nothing where it is not known.
  std::optional<double> value(std::uint64_t candidate, std::size_t requirement) const {
    const Requirement& wanted = space_.question.requirements[requirement];
    if (is_simulated(candidate)) {
      const CandidateFigures::Entry* entry = runs_.find(candidate)->figures.find(wanted.figure, wanted.of);
      return entry == nullptr ? std::nullopt : std::optional(worst_end(wanted, entry->value));
    }
    const std::optional<double> bound = table_.best(candidate, {wanted.figure, wanted.of});
    // By a shorter look, or since it has less than one that missed by so much.
    const Rejection& why = rejections_[candidate];
    const bool seen =
        why.requirement == requirement && (why.kind == RejectionKind::implied || why.kind == RejectionKind::screened);
    return seen && (!bound || excess(wanted, why.value) > excess(wanted, *bound)) ? std::optional(why.value) : bound;
  }

  void add(std::set<std::pair<double, std::uint64_t>>& least, std::uint64_t candidate) const {
    if (!table_.is_known(candidate) || rejections_[candidate].kind == RejectionKind::failed) return;
    double sum = 0.0;
    for (std::size_t r = 0; r < space_.question.requirements.size(); ++r) {
      const std::optional<double> known = value(candidate, r);
      if (known) sum += std::max(0.0, excess(space_.question.requirements[r], *known));
      if (!known && is_simulated(candidate)) return;
    }
    // Nothing to give, although it was left: its shorter look was wrong. Or no limit is large enough.
    if (!std::isfinite(sum) || (sum == 0.0 && is_simulated(candidate))) return;
    least.emplace(sum, candidate);
  }

  std::vector<Relaxation> relaxations(std::uint64_t candidate) const {
    const SearchedCandidate shown = shown_candidate(space_, table_, runs_, candidate);
    const std::vector<Requirement>& requirements = space_.question.requirements;
    std::vector<Relaxation> found;
    for (std::size_t r = 0; r < requirements.size(); ++r) {
      const std::optional<double> known = value(candidate, r);
      if (!known || !(excess(requirements[r], *known) > 0.0)) continue;
      found.push_back(relaxation(requirements[r], r, *known, shown));
      found.back().simulated = is_simulated(candidate);
    }
    for (Relaxation& one : found) one.together = found.size() > 1;
    return found;
  }

  const SearchedSpace& space_;
  const FormulaTable& table_;
  const std::vector<Rejection>& rejections_;
  SearchedRuns& runs_;
};

}  // namespace

std::vector<Relaxation> relaxations_of(const SearchedSpace& space, const FormulaTable& table,
                                       const std::vector<Rejection>& rejections, SearchedRuns& runs,
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
      // With its mean for a limit nobody could say whether it is met.
      const double value = worst_end(requirements[r], entry->value);
      found.push_back(relaxation(requirements[r], r, value, std::move(shown)));
      found.back().simulated = true;
    } else if (!end.complete) {
      if (const auto best = best_by_formula(table, goal, verdicts))
        found.push_back(
            relaxation(requirements[r], r, *table.best(*best, figure), shown_candidate(space, table, runs, *best)));
    }
  }
  if (found.empty()) found = LeastMissed(space, table, rejections, runs).all(most_simulations);
  std::stable_sort(found.begin(), found.end(),
                   [](const Relaxation& a, const Relaxation& b) { return a.relative < b.relative; });
  return found;
}

}  // namespace saturn
