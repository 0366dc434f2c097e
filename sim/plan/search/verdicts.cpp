#include "sim/plan/search/verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "scenarios/document/complaints.hpp"
#include "sim/plan/search/figures_by_bound.hpp"
#include "sim/plan/search/formula_table.hpp"

namespace saturn {

namespace {

// Of 20 batch means of one replication: five standard errors.
constexpr double widths_of_one_replication = 5.0 / 2.093;
// Of three replications: 13 standard errors, beyond which 0.3 % lie on one side.
constexpr double widths_of_a_glance = 3.0;
// Of ten replications: 3.2 standard errors, beyond which 0.5 % lie on one side.
constexpr double widths_of_a_short_run = 1.4;
// Windows that short may be off by so much, whatever their noise [1].
constexpr double off_at_a_glance = 0.03;
constexpr double off_in_a_short_run = 0.005;
constexpr double waiting_off_at_a_glance = 0.35;
constexpr double waiting_off_in_a_short_run = 0.1;
// Events are lost in clusters, of which a short window has few.
constexpr double loss_off_at_a_glance = 0.5;
constexpr double loss_off_in_a_short_run = 0.2;
// Requests that interleave sort themselves out slowly where no time varies.
constexpr double settling = 2.0;
// A search keeps the luckiest of many first looks, and an interval of few replications knows little of its own width:
// the limit has to be so many half-widths away.
constexpr double widths_of_a_first_look = 2.0;

}  // namespace

double worst_possible(const Requirement& requirement, const Estimate& value, const SimulatedLook& look) {
  const double worst = worst_end(requirement, value);
  if (look.longer > 0 || look.longest || !std::isfinite(worst)) return worst;
  return value.mean + widths_of_a_first_look * (worst - value.mean);
}

double noise_margin(MeasureId figure, const Estimate& estimate, const SimulatedLook& look) {
  if (look.fidelity == Fidelity::full) return 0.0;
  // What grows without end does so in a longer run all the more.
  if (std::isinf(estimate.mean)) return 0.0;
  const double half = estimate.half_width();
  if (!std::isfinite(half)) return std::numeric_limits<double>::infinity();
  const bool glance = look.fidelity == Fidelity::glance;
  const double of_a_glance = estimate.replications == 1 ? widths_of_one_replication : widths_of_a_glance;
  const double noise = (glance ? of_a_glance : widths_of_a_short_run) * half;
  const double off = glance ? off_at_a_glance : off_in_a_short_run;
  double margin = std::max(noise, off * std::abs(estimate.mean));
  if (figure == measure("slowdown")) {
    // Stored as the excess over 1. What short windows miss is a part of the waiting alone, unless that has to settle.
    const double waiting = (glance ? waiting_off_at_a_glance : waiting_off_in_a_short_run) * std::abs(estimate.mean);
    margin = std::max({noise, waiting, look.constant_times ? settling * off * (1.0 + estimate.mean) : 0.0});
  } else if (look.constant_times) {
    margin = std::max(margin, settling * off * std::abs(estimate.mean));
  }
  if (figure == measure("lost_share"))
    margin = std::max(margin, (glance ? loss_off_at_a_glance : loss_off_in_a_short_run) * std::abs(estimate.mean));
  return is_quantile(figure->average) ? 1.5 * margin : margin;
}

RequirementVerdicts::RequirementVerdicts(const SearchedSpace& space, const FormulaTable& table,
                                         std::optional<std::size_t> without)
    : space_(space), without_(without), faster_(space.question.space), verdicts_(table.size(), Standing::open) {
  const std::vector<Requirement>& requirements = space.question.requirements;
  for (std::uint64_t c = 0; c < table.size(); ++c) {
    if (!table.is_known(c)) verdicts_[c] = Standing::missed;
    for (std::size_t r = 0; r < requirements.size() && table.rejection(c); ++r) {
      if (r == without_ || verdicts_[c] == Standing::missed) continue;
      const std::optional<double> value = table.best(c, {requirements[r].figure, requirements[r].of});
      if (value && misses(requirements[r], *value)) verdicts_[c] = Standing::missed;
    }
  }
  const auto known = std::find_if(verdicts_.begin(), verdicts_.end(), [](Standing v) { return v == Standing::open; });
  if (known == verdicts_.end()) return;
  const auto candidate = static_cast<std::uint64_t>(known - verdicts_.begin());
  one_model_ = candidate_scenario(space, candidate).scenario.models.size() == 1;
}

bool RequirementVerdicts::is_monotone(const Requirement& requirement) const {
  const MeasureId figure = requirement.figure;
  if (figure == measure("throughput")) return !requirement.at_most;
  if (figure->subject == Subject::jobs ||
      is_one_of(figure, {measure("slowdown"), measure("campaign_time"), measure("lost_share")}))
    return requirement.at_most;
  // With several models, devices that help one of them bring the others more requests a second.
  return requirement.at_most && one_model_ && figure->subject == Subject::model;
}

std::optional<Rejection> RequirementVerdicts::missed(const SimulatedLook& look, bool monotone_only) const {
  std::optional<Rejection> found;
  double worst = 0.0;
  const std::vector<Requirement>& requirements = space_.question.requirements;
  for (std::size_t r = 0; r < requirements.size(); ++r) {
    const Requirement& requirement = requirements[r];
    if (r == without_ || (monotone_only && !is_monotone(requirement))) continue;
    const CandidateFigures::Entry* entry = look.figures.find(requirement.figure, requirement.of);
    if (entry == nullptr) {
      if (monotone_only) continue;
      return Rejection{.kind = RejectionKind::failed,
                       .requirement = r,
                       .words = "its " + std::string(requirement.figure->words) + " is not known"};
    }
    const double value = entry->value.mean;
    if (!(excess(requirement, value) > 0.0)) continue;
    if (look.fidelity == Fidelity::full) {
      if (!(excess(requirement, best_end(requirement, entry->value)) > 0.0)) continue;
    } else {
      double margin = entry->exact() ? 0.0 : noise_margin(requirement.figure, entry->value, look);
      // A glance must miss a small limit by as much as the limit is.
      const bool small = requirement.figure == measure("slowdown") || requirement.figure == measure("lost_share");
      if (small && look.fidelity == Fidelity::glance) margin = std::max(margin, std::abs(requirement.limit));
      if (!(std::abs(value - requirement.limit) > margin)) continue;
    }
    if (found && excess(requirement, value) <= worst) continue;
    worst = excess(requirement, value);
    found = Rejection{.kind = look.fidelity == Fidelity::full ? RejectionKind::simulated : RejectionKind::screened,
                      .requirement = r,
                      .value = value};
  }
  return found;
}

std::optional<Rejection> RequirementVerdicts::undecided(const SimulatedLook& look) const {
  const std::vector<Requirement>& requirements = space_.question.requirements;
  for (std::size_t r = 0; r < requirements.size(); ++r) {
    if (r == without_) continue;
    const CandidateFigures::Entry* entry = look.figures.find(requirements[r].figure, requirements[r].of);
    if (entry == nullptr) continue;
    if (excess(requirements[r], worst_possible(requirements[r], entry->value, look)) <= 0.0) continue;
    return Rejection{
        .kind = RejectionKind::undecided, .requirement = r, .value = entry->value.mean, .interval = entry->value};
  }
  return std::nullopt;
}

bool RequirementVerdicts::meets(const SimulatedLook& look) const {
  return look.fidelity == Fidelity::full && look.failure.empty() && !missed(look, false) && !undecided(look);
}

bool RequirementVerdicts::meets_by_mean(const SimulatedLook& look) const {
  if (!look.failure.empty()) return false;
  const std::vector<Requirement>& requirements = space_.question.requirements;
  for (std::size_t r = 0; r < requirements.size(); ++r) {
    if (r == without_) continue;
    const CandidateFigures::Entry* entry = look.figures.find(requirements[r].figure, requirements[r].of);
    if (entry == nullptr || !(excess(requirements[r], entry->value.mean) <= 0.0)) return false;
  }
  return true;
}

bool RequirementVerdicts::is_outweighed(std::uint64_t candidate, const SimulatedLook& look) const {
  const Rejection* rejection = why(candidate);
  if (rejection == nullptr || look.fidelity != Fidelity::full || !look.failure.empty()) return false;
  return rejection->kind == RejectionKind::screened || rejection->kind == RejectionKind::implied;
}

void RequirementVerdicts::reopen(std::uint64_t candidate) {
  std::erase_if(reasons_, [&](const auto& entry) {
    const auto& [other, reason] = entry;
    const bool follows = reason.kind == RejectionKind::implied && reason.than == candidate;
    if (other != candidate && !follows) return false;
    verdicts_[other] = Standing::open;
    return true;
  });
}

void RequirementVerdicts::judge(std::uint64_t candidate, const SimulatedLook& look) {
  if (is_outweighed(candidate, look)) reopen(candidate);
  if (!is_open(candidate)) return;
  judge_alone(candidate, look);
  if (of(candidate) != Standing::missed || !look.failure.empty()) return;
  if (const std::optional<Rejection> monotone = missed(look, true)) imply(candidate, *monotone);
}

void RequirementVerdicts::judge_alone(std::uint64_t candidate, const SimulatedLook& look) {
  if (!is_open(candidate)) return;
  if (!look.failure.empty())
    reject(candidate, {.kind = RejectionKind::failed, .words = look.failure});
  else if (std::optional<Rejection> reason = missed(look, false))
    reject(candidate, std::move(*reason));
  else if (look.fidelity == Fidelity::full)
    decide(candidate, look);
}

void RequirementVerdicts::decide(std::uint64_t candidate, const SimulatedLook& look) {
  std::optional<Rejection> open = undecided(look);
  if (!open) {
    verdicts_[candidate] = Standing::met;
  } else if (look.longest) {
    verdicts_[candidate] = Standing::undecided;
    reasons_.insert_or_assign(candidate, std::move(*open));
  }
}

void RequirementVerdicts::imply(std::uint64_t candidate, Rejection reason) {
  reason.kind = RejectionKind::implied;
  reason.than = candidate;
  faster_.each_with_less(candidate, [&](std::uint64_t less) {
    if (is_open(less)) reject(less, reason);
  });
}

const Rejection* RequirementVerdicts::why(std::uint64_t candidate) const {
  const auto found = reasons_.find(candidate);
  return found == reasons_.end() ? nullptr : &found->second;
}

void RequirementVerdicts::reject(std::uint64_t candidate, Rejection reason) {
  verdicts_[candidate] = Standing::missed;
  reasons_.insert_or_assign(candidate, std::move(reason));
}

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

std::uint64_t roomiest_equal(const SearchState& search, std::uint64_t best) {
  const auto& [space, table, goal, verdicts, runs] = search;
  if (goal.room_of.empty()) return best;
  const std::optional<SimulatedKeys> wanted = keys_by_simulation(table, goal, best, *runs.find(best));
  double most = room_of(table, goal.room_of, runs.find(best)->figures);
  for (const auto& [candidate, look] : runs.all()) {
    if (verdicts.of(candidate) != RequirementVerdicts::Standing::met) continue;
    const double room = room_of(table, goal.room_of, look.figures);
    if (!(room > most)) continue;
    const std::optional<SimulatedKeys> keys = keys_by_simulation(table, goal, candidate, look);
    if (!keys || keys->mean.score != wanted->mean.score) continue;
    if (keys->mean.ties[0] != wanted->mean.ties[0] || keys->mean.ties[1] != wanted->mean.ties[1]) continue;
    best = candidate;
    most = room;
  }
  return best;
}

namespace {

using Standing = RequirementVerdicts::Standing;

RankKey possible_key(const SearchState& search, std::uint64_t candidate) {
  if (const SimulatedLook* look = search.runs.find(candidate))
    if (const auto keys = keys_by_simulation(search.table, search.goal, candidate, *look)) return keys->best;
  return key_by_formula(search.table, search.goal, candidate);
}

/// Of a candidate that meets the requirements, or may.
Rejection beaten(const SearchState& search, std::uint64_t candidate, const std::optional<RankKey>& best,
                 std::optional<std::uint64_t> answer, bool complete) {
  const RankKey key = possible_key(search, candidate);
  const bool met = search.verdicts.of(candidate) == Standing::met;
  if (!met && (!best || (!complete && key < *best))) return {.kind = RejectionKind::out_of_budget};
  const double value = std::isfinite(key.score) ? (search.goal.least ? key.score : -key.score) : 0.0;
  return {.kind = met ? RejectionKind::worse : RejectionKind::cannot_win, .value = value, .than = answer};
}

}  // namespace

SearchedCandidate shown_candidate(const SearchState& search, std::uint64_t candidate) {
  const CandidateSpace& candidates = search.space.question.space;
  SearchedCandidate shown{.index = candidate, .settings = candidates.settings(candidate)};
  const std::vector<std::size_t> at = candidates.coordinates(candidate);
  for (std::size_t v = 0; v < at.size(); ++v) shown.values.push_back(candidates.variables()[v].values[at[v]].text);
  if (!search.table.is_known(candidate)) return shown;
  const Scenario scenario = candidate_scenario(search.space, candidate).scenario;
  const ExpectedLoad load = expected_load(scenario);
  shown.binding = load.binding;
  shown.saturates_at_jobs = load.saturates_at_jobs;
  shown.next = load.next;
  shown.next_at_jobs = load.next_at_jobs;
  const SimulatedLook* look = search.runs.find(candidate);
  if (look != nullptr && look->failure.empty()) {
    shown.figures = look->figures;
    shown.fidelity = look->fidelity;
    shown.longer = look->longer;
    shown.waits = look->waits;
  } else {
    shown.figures = figures_by_bound(scenario, search.space.terms,
                                     search.space.simulated ? BoundOf::simulations : BoundOf::expectations);
    shown.fidelity = load.by_mva ? Fidelity::mva : Fidelity::formula;
  }
  return shown;
}

std::vector<Rejection> rejections_of(const SearchState& search, std::optional<std::uint64_t> answer, bool complete) {
  std::optional<RankKey> best;
  if (answer && search.verdicts.of(*answer) == Standing::met) best = possible_key(search, *answer);
  std::vector<Rejection> rejections;
  rejections.reserve(search.table.size());
  for (std::uint64_t c = 0; c < search.table.size(); ++c) {
    if (c == answer)
      rejections.push_back({.kind = RejectionKind::worse});
    else if (const Rejection* why = search.verdicts.why(c))
      rejections.push_back(*why);
    else if (const auto& formula = search.table.rejection(c))
      rejections.push_back(*formula);
    else if (!search.table.is_known(c))
      rejections.push_back({.kind = RejectionKind::out_of_budget});
    else
      rejections.push_back(beaten(search, c, best, answer, complete));
  }
  return rejections;
}

std::vector<std::uint64_t> better_if_met(const SearchState& search, std::optional<std::uint64_t> answer) {
  std::vector<std::uint64_t> better;
  for (const auto& [candidate, look] : search.runs.all()) {
    if (search.verdicts.of(candidate) != Standing::undecided) continue;
    if (!answer || possible_key(search, candidate) < possible_key(search, *answer)) better.push_back(candidate);
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
