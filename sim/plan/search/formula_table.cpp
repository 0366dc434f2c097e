#include "sim/plan/search/formula_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/mva.hpp"
#include "models/queueing/open_capacity.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/plan/search/figures_by_bound.hpp"

namespace saturn {

namespace {

// Beyond these terms mean value analysis costs more than the rest of the formulas together.
constexpr double most_terms = 10000.0;
constexpr double knee_sharpness = 8.0;

bool mva_is_cheap(const ClosedNetwork& network) {
  if (network.classes.size() != 1 || !network.product_form_violations.empty()) return false;
  const double clients = network.classes.front().clients;
  double stations = 0.0;
  double units = 1.0;
  for (const Resource& resource : network.resources) {
    if (!resource.in_product_form) continue;
    stations += 1.0;
    units = std::max(units, std::min(resource.units, clients));
  }
  return clients >= 1.0 && stations * stations * clients * units <= most_terms;
}

double slowdown_by_mva(const ClosedNetwork& network) {
  const JobClass& jobs = network.classes.front();
  const auto clients = static_cast<std::size_t>(std::llround(jobs.clients));
  const MvaPoint point = exact_mva(mva_stations(network), jobs.think_time.value, clients);
  return (point.event_time_s - jobs.set_up.value) / jobs.ideal_event_time.value;
}

ExpectedLoad open_load(const System& system) {
  const auto& [scenario, network, bounds] = system;
  ExpectedLoad load{.slowdown = 0.0};
  for (std::size_t j = 0; j < network.classes.size(); ++j) {
    if (!network.classes[j].arrivals) continue;
    const OpenCapacity capacity = open_capacity(network, j);
    const double present = capacity.capacity_per_s > 0.0 ? capacity.load() : std::numeric_limits<double>::infinity();
    if (!load.binding.empty() && present <= load.slowdown) continue;
    load.slowdown = present;
    load.binding = capacity.limit;
  }
  if (any_open(scenario) && !all_open(scenario)) {
    // Closed pools take what is left, so that the bounds of the whole still say something.
    if (!bounds.knees.empty()) load.slowdown = std::max(load.slowdown, bounds.clients / bounds.knees.front().clients);
  }
  return load;
}

}  // namespace

ExpectedLoad expected_load(const System& system) {
  const auto& [scenario, network, bounds] = system;
  if (any_open(scenario)) return open_load(system);
  const double jobs_per_client = job_count(scenario) / bounds.clients;
  ExpectedLoad load;
  if (!bounds.knees.empty()) {
    load.binding = network.resources[bounds.knees[0].resource].name;
    load.saturates_at_jobs = bounds.knees[0].clients * jobs_per_client;
    load.slowdown =
        std::pow(1.0 + std::pow(bounds.clients / bounds.knees[0].clients, knee_sharpness), 1.0 / knee_sharpness);
  }
  if (bounds.knees.size() > 1) {
    load.next = network.resources[bounds.knees[1].resource].name;
    load.next_at_jobs = bounds.knees[1].clients * jobs_per_client;
  }
  if (mva_is_cheap(network)) {
    load.slowdown = slowdown_by_mva(network);
    load.by_mva = true;
  }
  return load;
}

namespace {

constexpr double rounding_error = 1e-9;

std::vector<std::uint64_t> all_of(const CandidateSpace& space) {
  std::vector<std::uint64_t> all(space.size());
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return all;
}

}  // namespace

bool misses(const Requirement& requirement, double value) {
  return excess(requirement, value) > rounding_error;
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
  std::optional<System> system;
  try {
    system = candidate_scenario(space, candidate).scenario;
  } catch (const InputError& error) {
    rejections_[candidate] = {.kind = RejectionKind::invalid, .words = in_one_line(error)};
    return;
  }
  known_[candidate] = 1;
  const CandidateFigures bound =
      figures_by_bound(*system, space.terms, space.simulated ? BoundOf::simulations : BoundOf::expectations);
  for (std::size_t f = 0; f < figures_.size(); ++f) {
    const CandidateFigures::Entry* entry = bound.find(figures_[f].figure, figures_[f].of);
    if (entry != nullptr) best_[candidate * figures_.size() + f] = entry->value.mean;
    // A missing rent is missing for good: it is not for a simulation to say.
    const bool money = figures_[f].figure == measure("rent") || figures_[f].figure == measure("power");
    if (entry == nullptr ? !money : !entry->exact()) exact_[f] = 0;
  }
  const ExpectedLoad load = expected_load(*system);
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
