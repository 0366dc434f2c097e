#include "sim/plan/formula_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "scenarios/complaint.hpp"
#include "sim/plan/expected_load.hpp"

namespace saturn {

namespace {

constexpr double rounding = 1e-9;

std::vector<std::uint64_t> all_of(const CandidateSpace& space) {
  std::vector<std::uint64_t> all(space.size());
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return all;
}

}  // namespace

bool misses(const Requirement& requirement, double value) {
  return excess(requirement, value) > rounding;
}

FormulaTable::FormulaTable(const SearchedSpace& space, std::vector<FigureOf> figures,
                           const std::function<bool()>& out_of_time)
    : FormulaTable(space, std::move(figures), out_of_time, all_of(space.question.space)) {}

FormulaTable::FormulaTable(const SearchedSpace& space, std::vector<FigureOf> figures,
                           const std::function<bool()>& out_of_time, std::span<const std::uint64_t> candidates)
    : figures_(std::move(figures)), exact_(figures_.size(), 1) {
  const std::uint64_t size = space.question.space.size();
  best_.assign(size * figures_.size(), std::numeric_limits<double>::quiet_NaN());
  expected_.assign(size, 0.0F);
  known_.assign(size, 0);
  rejections_.resize(size);
  for (const std::uint64_t candidate : candidates) {
    if (out_of_time()) {
      complete_ = false;
      return;
    }
    fill(space, candidate);
  }
}

void FormulaTable::fill(const SearchedSpace& space, std::uint64_t candidate) {
  std::optional<Scenario> scenario;
  try {
    scenario = candidate_scenario(space, candidate).scenario;
  } catch (const InputError& error) {
    rejections_[candidate] = {.kind = RejectionKind::invalid, .words = in_one_line(error)};
    return;
  }
  known_[candidate] = 1;
  const CandidateFigures bound = figures_by_bound(*scenario, space.terms);
  for (std::size_t f = 0; f < figures_.size(); ++f) {
    const CandidateFigures::Entry* entry = bound.find(figures_[f].figure, figures_[f].of);
    if (entry != nullptr) best_[candidate * figures_.size() + f] = entry->value.mean;
    // A missing rent is missing for good: it is not for a simulation to say.
    const bool money = figures_[f].figure == measure("rent") || figures_[f].figure == measure("power");
    if (entry == nullptr ? !money : !entry->exact()) exact_[f] = 0;
  }
  const ExpectedLoad load = expected_load(*scenario);
  used_mva_ = used_mva_ || load.by_mva;
  expected_[candidate] =
      std::isnan(load.slowdown) ? std::numeric_limits<float>::infinity() : static_cast<float>(load.slowdown);
  reject_by_bound(space, candidate, load.binding);
}

void FormulaTable::reject_by_bound(const SearchedSpace& space, std::uint64_t candidate, const std::string& binding) {
  double worst = 0.0;
  const std::vector<Requirement>& requirements = space.question.requirements;
  for (std::size_t r = 0; r < requirements.size(); ++r) {
    const std::optional<double> value = best(candidate, {requirements[r].figure, requirements[r].of});
    if (!value || !misses(requirements[r], *value)) continue;
    const double beyond = excess(requirements[r], *value);
    if (rejections_[candidate] && beyond <= worst) continue;
    worst = beyond;
    rejections_[candidate] = {.kind = RejectionKind::bound, .requirement = r, .value = *value, .binding = binding};
  }
}

std::size_t FormulaTable::column_of(const FigureOf& figure) const {
  const auto found = std::find(figures_.begin(), figures_.end(), figure);
  if (found == figures_.end()) throw std::logic_error("a search asks for a figure that its table does not keep");
  return static_cast<std::size_t>(found - figures_.begin());
}

std::optional<double> FormulaTable::best(std::uint64_t candidate, const FigureOf& figure) const {
  const double value = best_[candidate * figures_.size() + column_of(figure)];
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

bool FormulaTable::is_exact(const FigureOf& figure) const {
  return exact_[column_of(figure)] != 0;
}

}  // namespace saturn
