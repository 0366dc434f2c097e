#include "sim/plan/search/rank_key.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "scenarios/document/complaints.hpp"
#include "sim/plan/search/formula_table.hpp"

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

/// 0 where there is room enough, else 1: how much more does not make a candidate worth a look.
double is_tight(double room) {
  return room < ample_room ? 1.0 : 0.0;
}

double room_by_formula(const FormulaTable& table, const SearchGoal& goal, std::uint64_t candidate) {
  double room = std::numeric_limits<double>::infinity();
  for (const Requirement& requirement : goal.room_of) {
    const FigureOf figure{requirement.figure, requirement.of};
    if (table.is_exact(figure)) continue;
    if (const auto best = table.best(candidate, figure)) room = std::min(room, -excess(requirement, *best));
  }
  return room;
}

/// The most that a full simulation may leave, by the noise of a look.
double possible_room(const FormulaTable& table, const SearchGoal& goal, const SimulatedLook& look) {
  CandidateFigures possible = look.figures;
  for (CandidateFigures::Entry& entry : possible.entries) {
    const double margin = noise_margin(entry.figure, entry.value, look);
    entry.value.mean += entry.figure->better == Better::less ? -margin : margin;
  }
  return room_of(table, goal.room_of, possible);
}

}  // namespace

double room_of(const FormulaTable& table, std::span<const Requirement> requirements, const CandidateFigures& figures) {
  double room = std::numeric_limits<double>::infinity();
  for (const Requirement& requirement : requirements) {
    if (table.is_exact({requirement.figure, requirement.of})) continue;
    const CandidateFigures::Entry* entry = figures.find(requirement.figure, requirement.of);
    if (entry != nullptr) room = std::min(room, -excess(requirement, entry->value.mean));
  }
  return room;
}

RankKey key_by_formula(const FormulaTable& table, const SearchGoal& goal, std::uint64_t candidate) {
  const double gpus = table.best(candidate, {measure("gpus")}).value_or(0.0);
  const std::optional<double> wanted = table.best(candidate, goal.wanted);
  const double rent = rounded_score(table.best(candidate, {measure("rent")}).value_or(0.0));
  const double expected = table.expected_slowdown(candidate);
  double score = wanted ? score_of(goal, *wanted, gpus) : -std::numeric_limits<double>::infinity();
  score = table.is_exact(goal.wanted) ? rounded_score(score) : in_steps(goal, near_enough(goal, score));
  const double tight = is_tight(room_by_formula(table, goal, candidate));
  return {.score = score,
          .ties = goal.without ? std::array{expected, gpus, rent, tight} : std::array{gpus, rent, tight, expected},
          .candidate = candidate};
}

std::optional<SimulatedKeys> keys_by_simulation(const FormulaTable& table, const SearchGoal& goal,
                                                std::uint64_t candidate, const SimulatedLook& look) {
  const RankKey formula = key_by_formula(table, goal, candidate);
  SimulatedKeys keys{formula, formula};
  if (!goal.without) {
    keys.mean.ties[tight_tie] = is_tight(room_of(table, goal.room_of, look.figures));
    keys.best.ties[tight_tie] = std::max(formula.ties[tight_tie], is_tight(possible_room(table, goal, look)));
  }
  const double gpus = table.best(candidate, {measure("gpus")}).value_or(0.0);
  if (table.is_exact(goal.wanted) && std::isfinite(formula.score)) return keys;
  const CandidateFigures::Entry* entry = look.figures.find(goal.wanted.figure, goal.wanted.of);
  if (entry == nullptr) return std::nullopt;
  const double mean = score_of(goal, entry->value.mean, gpus);
  const double margin = std::abs(score_of(goal, noise_margin(goal.wanted.figure, entry->value, look), gpus));
  // A window may count a little more than the long run allows.
  keys.mean.score = std::max(formula.score, in_steps(goal, mean));
  keys.best.score = std::max(formula.score, in_steps(goal, mean - margin));
  return keys;
}

std::uint64_t roomiest_equal(const FormulaTable& table, const SearchGoal& goal, const SearchedRuns& runs,
                             const RequirementVerdicts& verdicts, std::uint64_t best) {
  if (goal.room_of.empty()) return best;
  const auto key_of = [&](std::uint64_t candidate) {
    return keys_by_simulation(table, goal, candidate, *runs.find(candidate));
  };
  const std::optional<SimulatedKeys> wanted = key_of(best);
  double most = room_of(table, goal.room_of, runs.find(best)->figures);
  for (const auto& [candidate, look] : runs.all()) {
    if (verdicts.of(candidate) != RequirementVerdicts::Standing::met) continue;
    const double room = room_of(table, goal.room_of, look.figures);
    if (!(room > most)) continue;
    const std::optional<SimulatedKeys> keys = key_of(candidate);
    if (!keys || keys->mean.score != wanted->mean.score) continue;
    if (keys->mean.ties[0] != wanted->mean.ties[0] || keys->mean.ties[1] != wanted->mean.ties[1]) continue;
    best = candidate;
    most = room;
  }
  return best;
}

namespace {

using Standing = RequirementVerdicts::Standing;

RankKey possible_key(const SearchedReasons& reasons, std::uint64_t candidate) {
  if (const SimulatedLook* look = reasons.runs.find(candidate))
    if (const auto keys = keys_by_simulation(reasons.table, reasons.goal, candidate, *look)) return keys->best;
  return key_by_formula(reasons.table, reasons.goal, candidate);
}

/// Of a candidate that meets the requirements, or may.
Rejection beaten(const SearchedReasons& reasons, std::uint64_t candidate, const std::optional<RankKey>& best) {
  const RankKey key = possible_key(reasons, candidate);
  const bool met = reasons.verdicts.of(candidate) == Standing::met;
  if (!met && (!best || (!reasons.complete && key < *best))) return {.kind = RejectionKind::out_of_budget};
  const double value = std::isfinite(key.score) ? (reasons.goal.least ? key.score : -key.score) : 0.0;
  return {.kind = met ? RejectionKind::worse : RejectionKind::cannot_win, .value = value, .than = reasons.answer};
}

Rejection reason_of(const SearchedReasons& reasons, std::uint64_t candidate, const std::optional<RankKey>& best) {
  if (candidate == reasons.answer) return {.kind = RejectionKind::worse};
  if (const Rejection* why = reasons.verdicts.why(candidate)) return *why;
  if (const auto& formula = reasons.table.rejection(candidate)) return *formula;
  if (!reasons.table.is_known(candidate)) return {.kind = RejectionKind::out_of_budget};
  return beaten(reasons, candidate, best);
}

}  // namespace

SearchedCandidate shown_candidate(const SearchedSpace& space, const FormulaTable& table, const SearchedRuns& runs,
                                  std::uint64_t candidate) {
  const CandidateSpace& candidates = space.question.space;
  SearchedCandidate shown{.index = candidate, .settings = candidates.settings(candidate)};
  const std::vector<std::size_t> at = candidates.coordinates(candidate);
  for (std::size_t v = 0; v < at.size(); ++v) shown.values.push_back(candidates.variables()[v].values[at[v]].text);
  if (!table.is_known(candidate)) return shown;
  const Scenario scenario = candidate_scenario(space, candidate).scenario;
  const ExpectedLoad load = expected_load(scenario);
  shown.binding = load.binding;
  shown.saturates_at_jobs = load.saturates_at_jobs;
  shown.next = load.next;
  shown.next_at_jobs = load.next_at_jobs;
  const SimulatedLook* look = runs.find(candidate);
  if (look != nullptr && look->failure.empty()) {
    shown.figures = look->figures;
    shown.fidelity = look->fidelity;
    shown.longer = look->longer;
    shown.waits = look->waits;
  } else {
    shown.figures = figures_by_bound(scenario, space.terms);
    shown.fidelity = load.by_mva ? Fidelity::mva : Fidelity::formula;
  }
  return shown;
}

std::vector<Rejection> rejections_of(const SearchedReasons& reasons) {
  std::optional<RankKey> best;
  if (reasons.answer && reasons.verdicts.of(*reasons.answer) == Standing::met)
    best = possible_key(reasons, *reasons.answer);
  std::vector<Rejection> rejections;
  rejections.reserve(reasons.table.size());
  for (std::uint64_t c = 0; c < reasons.table.size(); ++c) rejections.push_back(reason_of(reasons, c, best));
  return rejections;
}

std::vector<std::uint64_t> better_if_met(const SearchedReasons& reasons) {
  std::vector<std::uint64_t> better;
  for (const auto& [candidate, look] : reasons.runs.all()) {
    if (reasons.verdicts.of(candidate) != Standing::undecided) continue;
    if (!reasons.answer || possible_key(reasons, candidate) < possible_key(reasons, *reasons.answer))
      better.push_back(candidate);
  }
  return better;
}

std::vector<std::uint64_t> nearest_by_formula(const SearchedSpace& space, const std::vector<Rejection>& rejections,
                                              std::size_t most) {
  std::vector<std::pair<double, std::uint64_t>> missed;
  for (std::uint64_t c = 0; c < rejections.size(); ++c)
    if (rejections[c].kind == RejectionKind::bound)
      missed.emplace_back(excess(space.question.requirements[*rejections[c].requirement], rejections[c].value), c);
  const std::size_t count = std::min(most, missed.size());
  std::partial_sort(missed.begin(), missed.begin() + static_cast<std::ptrdiff_t>(count), missed.end());
  std::vector<std::uint64_t> nearest;
  for (std::size_t i = 0; i < count; ++i) nearest.push_back(missed[i].second);
  return nearest;
}

}  // namespace saturn
