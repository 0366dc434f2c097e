#include "sim/plan/search/requirement_verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

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

}  // namespace

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
    if (entry == nullptr || excess(requirements[r], worst_end(requirements[r], entry->value)) <= 0.0) continue;
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

}  // namespace saturn
