#include "sim/plan/rank_key.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/plan/requirement_verdicts.hpp"

namespace saturn {

RankKey key_by_formula(const FormulaTable& table, const SearchGoal& goal, std::uint64_t candidate) {
  const double gpus = table.best(candidate, {Figure::gpus}).value_or(0.0);
  const std::optional<double> wanted = table.best(candidate, goal.wanted);
  const double rent = rounded_score(table.best(candidate, {Figure::rent}).value_or(0.0));
  const double expected = table.expected_slowdown(candidate);
  return {.score = wanted ? rounded_score(score_of(goal, *wanted, gpus)) : -std::numeric_limits<double>::infinity(),
          .ties = goal.without ? std::array{expected, gpus, rent} : std::array{gpus, rent, expected},
          .candidate = candidate};
}

std::optional<SimulatedScores> scores_by_simulation(const FormulaTable& table, const SearchGoal& goal,
                                                    std::uint64_t candidate, const SimulatedLook& look) {
  const RankKey formula = key_by_formula(table, goal, candidate);
  const double gpus = table.best(candidate, {Figure::gpus}).value_or(0.0);
  if (table.is_exact(goal.wanted) && std::isfinite(formula.score)) return SimulatedScores{formula.score, formula.score};
  const CandidateFigures::Entry* entry = look.figures.find(goal.wanted.figure, goal.wanted.of);
  if (entry == nullptr) return std::nullopt;
  const double mean = score_of(goal, entry->value.mean, gpus);
  const double margin = std::abs(score_of(goal, noise_margin(goal.wanted.figure, entry->value, look.fidelity), gpus));
  if (look.fidelity == Fidelity::full) return SimulatedScores{rounded_score(mean), rounded_score(mean)};
  return SimulatedScores{rounded_score(mean), std::max(formula.score, rounded_score(mean - margin))};
}

}  // namespace saturn
