#include "sim/plan/search_goal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/plan/raised_load.hpp"

namespace saturn {

CandidateScenario candidate_scenario(const SearchedSpace& space, std::uint64_t candidate) {
  std::vector<Override> settings = space.question.space.settings(candidate);
  Scenario scenario = space.make(settings);
  if (space.load == 1.0) return {std::move(scenario), std::move(settings)};
  scenario = with_load(std::move(scenario), space.load);
  const std::vector<Override> load = load_settings(scenario);
  settings.insert(settings.end(), load.begin(), load.end());
  return {std::move(scenario), std::move(settings)};
}

double score_of(const SearchGoal& goal, double value, double gpus) {
  const double wanted = goal.per_gpu ? value / std::max(gpus, 1.0) : value;
  return goal.least ? wanted : -wanted;
}

double rounded_score(double score) {
  if (!std::isfinite(score) || score == 0.0) return score;
  int exponent = 0;
  const double mantissa = std::frexp(score, &exponent);
  constexpr double steps = 1u << 30U;
  return std::ldexp(std::nearbyint(mantissa * steps) / steps, exponent);
}

std::vector<FigureOf> figures_asked(std::span<const SearchGoal> goals, std::span<const Requirement> requirements) {
  std::vector<FigureOf> asked = {{measure("gpus")}, {measure("rent")}};
  const auto add = [&asked](const FigureOf& figure) {
    if (std::find(asked.begin(), asked.end(), figure) == asked.end()) asked.push_back(figure);
  };
  for (const Requirement& requirement : requirements) add({requirement.figure, requirement.of});
  for (const SearchGoal& goal : goals) add(goal.wanted);
  return asked;
}

}  // namespace saturn
