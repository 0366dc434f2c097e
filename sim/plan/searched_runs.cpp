#include "sim/plan/searched_runs.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/intervals.hpp"
#include "scenarios/complaint.hpp"
#include "scenarios/determinism.hpp"
#include "sim/plan/decimal_digits.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

namespace {

constexpr std::uint64_t fewest_cycles = 3;
constexpr double finest_precision = 1e-4;  // that a scenario may ask for
constexpr std::uint64_t glance_cycles = 6;
constexpr std::uint64_t short_cycles = 12;
constexpr std::uint64_t short_replications = 10;
constexpr std::uint64_t fewest_replications = 3;

/// What --set says of the run control that a search changes.
std::vector<Override> changes(const RunControl& from, const RunControl& to) {
  std::vector<Override> set;
  const auto whole = [&set](const char* key, std::uint64_t before, std::uint64_t now) {
    if (before != now) set.push_back({"/run/" + std::string(key), std::to_string(now)});
  };
  if (from.precision != to.precision) set.push_back({"/run/precision", decimal_digits(to.precision)});
  // A scenario never has more replications at least than at most, on the way neither.
  whole("min_replications", from.min_replications, to.min_replications);
  whole("max_replications", from.max_replications, to.max_replications);
  whole("cycles", from.cycles, to.cycles);
  if (to.brief && !from.brief) set.push_back({"/run/brief", "true"});
  return set;
}

}  // namespace

RunControl run_control_at(const Scenario& scenario, Fidelity fidelity, std::span<const Requirement> requirements) {
  RunControl run = scenario.run;
  for (const Requirement& requirement : requirements)
    if (requirement.figure == PlanFigure::slowdown && requirement.at_most && requirement.limit > 0.0)
      run.precision = std::min(run.precision, std::max(requirement.limit / 5, finest_precision));
  const bool nothing_drawn = is_deterministic(scenario);
  switch (fidelity) {
    case Fidelity::glance:
      run.brief = true;
      run.cycles = std::min(run.cycles, nothing_drawn ? fewest_cycles : glance_cycles);
      run.min_replications = run.max_replications = 1;
      break;
    case Fidelity::short_run:
      run.brief = true;
      run.cycles = std::min(run.cycles, nothing_drawn ? glance_cycles : short_cycles);
      run.min_replications = run.max_replications = nothing_drawn ? 1 : short_replications;
      break;
    case Fidelity::full:
      // Where nothing is drawn there is one replication whatever is asked.
      if (nothing_drawn) break;
      run.min_replications = std::max(run.min_replications, fewest_replications);
      run.max_replications = std::max(run.min_replications, run.max_replications);
      break;
    case Fidelity::formula:
    case Fidelity::mva:
      throw std::logic_error("a formula is no simulation");
  }
  return run;
}

std::vector<Override> full_look_settings(const Scenario& scenario, std::span<const Requirement> requirements) {
  return changes(scenario.run, run_control_at(scenario, Fidelity::full, requirements));
}

/// What is simulated together, with what each is for.
struct SearchedRuns::Prepared {
  std::vector<SearchedScenario> scenarios{};
  std::vector<Scenario> as_made{};
  std::vector<WantedLook> looks{};
};

bool SearchedRuns::simulate(std::span<const WantedLook> wanted) {
  std::vector<WantedLook> unknown;
  for (const WantedLook& look : wanted) {
    const SimulatedLook* known = find(look.candidate);
    if (known == nullptr || known->fidelity < look.fidelity) unknown.push_back(look);
  }
  const std::size_t together = std::max<std::size_t>(1, control_.side_by_side);
  for (std::size_t i = 0; i < unknown.size(); i += together) {
    if (control_.out_of_time()) return false;
    try {
      simulate_together(std::span(unknown).subspan(i, std::min(together, unknown.size() - i)));
    } catch (const OutOfBudget&) {
      return false;
    }
  }
  return true;
}

void SearchedRuns::simulate_together(std::span<const WantedLook> wanted) {
  Prepared prepared;
  for (const WantedLook& look : wanted) {
    auto [scenario, settings] = candidate_scenario(space_, look.candidate);
    const RunControl run = run_control_at(scenario, look.fidelity, space_.question.requirements);
    const std::vector<Override> changed = changes(scenario.run, run);
    settings.insert(settings.end(), changed.begin(), changed.end());
    prepared.as_made.push_back(scenario);
    scenario.run = run;
    prepared.scenarios.push_back({.scenario = std::move(scenario), .settings = std::move(settings)});
    prepared.looks.push_back(look);
  }
  const std::vector<SearchedRun> runs = evaluate_(prepared.scenarios);
  if (runs.size() != wanted.size()) throw std::logic_error("a search got fewer simulations than it asked for");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ++simulations_;
    requests_ += runs[i].requests;
    SimulatedLook look{.fidelity = wanted[i].fidelity, .failure = runs[i].failure};
    if (look.failure.empty()) look.relative_width = relative_half_width(runs[i].summary.all_jobs.event_time.mean_s);
    look.constant_times = has_constant_times(prepared.as_made[i]);
    if (look.failure.empty()) look.figures = figures_by_simulation(prepared.as_made[i], runs[i].summary, space_.terms);
    looks_.insert_or_assign(wanted[i].candidate, std::move(look));
  }
}

const SimulatedLook* SearchedRuns::find(std::uint64_t candidate) const {
  const auto found = looks_.find(candidate);
  return found == looks_.end() ? nullptr : &found->second;
}

}  // namespace saturn
