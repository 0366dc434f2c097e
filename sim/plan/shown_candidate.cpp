#include "sim/plan/shown_candidate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scenarios/complaint.hpp"
#include "sim/plan/expected_load.hpp"
#include "sim/plan/rank_key.hpp"

namespace saturn {

namespace {

using Verdict = RequirementVerdicts::Verdict;

RankKey possible_key(const SearchedReasons& reasons, std::uint64_t candidate) {
  if (const SimulatedLook* look = reasons.runs.find(candidate))
    if (const auto keys = keys_by_simulation(reasons.table, reasons.goal, candidate, *look)) return keys->best;
  return key_by_formula(reasons.table, reasons.goal, candidate);
}

/// Of a candidate that meets the requirements, or may.
Rejection beaten(const SearchedReasons& reasons, std::uint64_t candidate, const std::optional<RankKey>& best) {
  const RankKey key = possible_key(reasons, candidate);
  const bool met = reasons.verdicts.of(candidate) == Verdict::met;
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
  if (reasons.answer && reasons.verdicts.of(*reasons.answer) == Verdict::met)
    best = possible_key(reasons, *reasons.answer);
  std::vector<Rejection> rejections;
  rejections.reserve(reasons.table.size());
  for (std::uint64_t c = 0; c < reasons.table.size(); ++c) rejections.push_back(reason_of(reasons, c, best));
  return rejections;
}

std::vector<std::uint64_t> better_if_met(const SearchedReasons& reasons) {
  std::vector<std::uint64_t> better;
  for (const auto& [candidate, look] : reasons.runs.all()) {
    if (reasons.verdicts.of(candidate) != Verdict::undecided) continue;
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
