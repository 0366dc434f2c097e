#include "sim/plan/rank_key.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/plan/requirement_verdicts.hpp"

namespace saturn {

namespace {

/// Scores in steps of the resolution, so that equal ones are equal in whatever order they are compared; of a
/// requirement's own figure as it is.
double in_steps(const SearchGoal& goal, double score) {
  if (goal.without || !std::isfinite(score) || score == 0.0) return rounded_score(score);
  const double steps = std::round(std::log(std::abs(score)) / objective_resolution);
  return std::copysign(std::exp(steps * objective_resolution), score);
}

/// A bound that is missed by no more than the resolution is met: otherwise every candidate whose waiting is short would
/// have to be simulated, to find the one that comes nearest to the bound that they share.
double near_enough(const SearchGoal& goal, double bound) {
  return goal.without || !std::isfinite(bound) ? bound : bound + objective_resolution * std::abs(bound);
}

}  // namespace

RankKey key_by_formula(const FormulaTable& table, const SearchGoal& goal, std::uint64_t candidate) {
  const double gpus = table.best(candidate, {PlanFigure::gpus}).value_or(0.0);
  const std::optional<double> wanted = table.best(candidate, goal.wanted);
  const double rent = rounded_score(table.best(candidate, {PlanFigure::rent}).value_or(0.0));
  const double expected = table.expected_slowdown(candidate);
  double score = wanted ? score_of(goal, *wanted, gpus) : -std::numeric_limits<double>::infinity();
  score = table.is_exact(goal.wanted) ? rounded_score(score) : in_steps(goal, near_enough(goal, score));
  return {.score = score,
          .ties = goal.without ? std::array{expected, gpus, rent} : std::array{gpus, rent, expected},
          .candidate = candidate};
}

std::optional<SimulatedScores> scores_by_simulation(const FormulaTable& table, const SearchGoal& goal,
                                                    std::uint64_t candidate, const SimulatedLook& look) {
  const RankKey formula = key_by_formula(table, goal, candidate);
  const double gpus = table.best(candidate, {PlanFigure::gpus}).value_or(0.0);
  if (table.is_exact(goal.wanted) && std::isfinite(formula.score)) return SimulatedScores{formula.score, formula.score};
  const CandidateFigures::Entry* entry = look.figures.find(goal.wanted.figure, goal.wanted.of);
  if (entry == nullptr) return std::nullopt;
  const double mean = score_of(goal, entry->value.mean, gpus);
  const double margin = std::abs(score_of(goal, noise_margin(goal.wanted.figure, entry->value, look), gpus));
  // A window may count a little more than the long run allows.
  return SimulatedScores{std::max(formula.score, in_steps(goal, mean)),
                         std::max(formula.score, in_steps(goal, mean - margin))};
}

}  // namespace saturn
