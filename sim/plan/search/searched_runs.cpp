#include "sim/plan/search/searched_runs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "models/words/numbers.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/short_windows.hpp"
#include "sim/formula/system.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/search/figures_by_bound.hpp"

namespace saturn {

namespace {

constexpr std::uint64_t fewest_cycles = 3;
constexpr double finest_precision = 1e-4;  // that a scenario may ask for
constexpr std::uint64_t glance_cycles = 6;
constexpr std::uint64_t short_cycles = 12;
constexpr std::uint64_t short_replications = 10;
constexpr std::uint64_t fewest_replications = 3;
// What a requirement is worth: so many times the replications that the scenario's precision is.
constexpr std::uint64_t most_times_replications = 4;
// Where nothing is drawn.
constexpr unsigned most_doubled_cycles = 3;

/// What --set says of the run control that a search changes.
std::vector<Override> changes(const RunControl& from, const RunControl& to) {
  std::vector<Override> set;
  const auto whole = [&set](const char* key, std::uint64_t before, std::uint64_t now) {
    if (before != now) set.push_back({"/run/" + std::string(key), std::to_string(now)});
  };
  if (from.precision != to.precision) set.push_back({"/run/precision", exact_text(to.precision)});
  // A scenario never has more replications at least than at most, on the way neither.
  whole("min_replications", from.min_replications, to.min_replications);
  whole("max_replications", from.max_replications, to.max_replications);
  if (to.cycles && from.cycles != to.cycles) set.push_back({"/run/cycles", std::to_string(*to.cycles)});
  if (to.brief && !from.brief) set.push_back({"/run/brief", "true"});
  return set;
}

/// A closed loop's rates and mean event times move as one, so that batch means of a single replication bound them all.
bool bounded_by_one_replication(const Scenario& scenario, MeasureId figure) {
  if (is_exact(figure->average)) return true;
  return !any_open(scenario) &&
         is_one_of(figure, {measure("slowdown"), measure("event_time"), measure("throughput"), measure("campaign_time"),
                            measure("cost_per_million"), measure("energy_per_million")});
}

std::uint64_t replications_of_a_glance(const Scenario& scenario, const SearchQuestion& question) {
  const auto bounded = [&](const Requirement& one) { return bounded_by_one_replication(scenario, one.figure); };
  const bool all = bounded_by_one_replication(scenario, question.objective.figure) &&
                   std::all_of(question.requirements.begin(), question.requirements.end(), bounded);
  return all ? 1 : fewest_replications;
}

/// The control of a full look, made longer.
/// @param first  replications of the first full look
RunControl lengthened(const SearchQuestion& question, const Scenario& scenario, unsigned longer, std::uint64_t first) {
  Scenario looked_at = scenario;
  RunControl& run = looked_at.run;
  run = run_control_at(scenario, Fidelity::full, question);
  if (longer == 0) return run;
  if (is_deterministic(scenario))
    run.cycles = least_cycles(looked_at) << longer;
  else
    run.min_replications = run.max_replications = first << longer;
  return run;
}

}  // namespace

RunControl run_control_at(const Scenario& scenario, Fidelity fidelity, const SearchQuestion& question) {
  RunControl run = scenario.run;
  for (const Requirement& requirement : question.requirements)
    if (requirement.figure == measure("slowdown") && requirement.at_most && requirement.limit > 0.0)
      run.precision = std::min(run.precision, std::max(requirement.limit / 5, finest_precision));
  const bool nothing_drawn = is_deterministic(scenario);
  switch (fidelity) {
    case Fidelity::glance:
      run.brief = true;
      run.cycles = std::min(run.cycles.value_or(usual_cycles), nothing_drawn ? fewest_cycles : glance_cycles);
      run.min_replications = run.max_replications = nothing_drawn ? 1 : replications_of_a_glance(scenario, question);
      break;
    case Fidelity::short_run:
      run.brief = true;
      run.cycles = std::min(run.cycles.value_or(usual_cycles), nothing_drawn ? glance_cycles : short_cycles);
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

std::vector<Override> full_look_settings(const Scenario& scenario, const SearchQuestion& question, unsigned longer,
                                         std::uint64_t replications) {
  return changes(scenario.run, lengthened(question, scenario, longer, replications >> longer));
}

bool SearchedRuns::simulate(std::span<const WantedLook> wanted) {
  const std::size_t together = std::max<std::size_t>(1, control_.side_by_side);
  try {
    looks_.simulate(wanted, together, [this](std::span<const WantedLook> unknown) {
      if (control_.out_of_time()) throw OutOfBudget();
      return simulate_together(unknown);
    });
  } catch (const OutOfBudget&) {
    return false;
  }
  return true;
}

RunControl SearchedRuns::run_control_of(const Scenario& scenario, const WantedLook& wanted) const {
  if (wanted.longer == 0) return run_control_at(scenario, wanted.fidelity, space_.question);
  return lengthened(space_.question, scenario, wanted.longer, full_replications_.at(wanted.candidate));
}

Fidelity SearchedRuns::after_glance(std::uint64_t candidate) const {
  Scenario scenario = candidate_scenario(space_, candidate).scenario;
  if (is_deterministic(scenario) || any_open(scenario)) return Fidelity::short_run;
  scenario.run = run_control_at(scenario, Fidelity::full, space_.question);
  const System system(std::move(scenario));
  const double replications =
      std::max(static_cast<double>(system.scenario.run.min_replications), std::ceil(runs_for_precision(system)));
  const double full = replications * static_cast<double>(least_cycles(system) + drawn_warm_up_cycles);
  const auto brief = static_cast<double>(short_replications * (short_cycles + brief_warm_up_cycles));
  return full <= brief ? Fidelity::full : Fidelity::short_run;
}

WantedLook SearchedRuns::closer(std::uint64_t candidate) const {
  const SimulatedLook& known = *find(candidate);
  if (known.longest) throw std::logic_error("a search simulates nothing longer than its longest look");
  switch (known.fidelity) {
    case Fidelity::glance:
      return {candidate, after_glance(candidate)};
    case Fidelity::full:
      return {candidate, Fidelity::full, known.longer + 1};
    default:
      return {candidate, Fidelity::full};
  }
}

std::vector<SimulatedLook> SearchedRuns::simulate_together(std::span<const WantedLook> wanted) {
  std::vector<SearchedScenario> prepared;
  std::vector<Scenario> as_made;
  for (const WantedLook& look : wanted) {
    auto [scenario, settings] = candidate_scenario(space_, look.candidate);
    const RunControl run = run_control_of(scenario, look);
    const std::vector<Override> changed = changes(scenario.run, run);
    settings.insert(settings.end(), changed.begin(), changed.end());
    as_made.push_back(scenario);
    scenario.run = run;
    prepared.push_back({.scenario = std::move(scenario), .settings = std::move(settings)});
  }
  std::vector<SimulatedLook> looks;
  for (const SearchedRun& run : evaluate_(prepared)) {
    const WantedLook& asked = wanted[looks.size()];
    const Scenario& scenario = as_made.at(looks.size());
    ++simulations_;
    requests_ += run.requests;
    SimulatedLook look{
        .fidelity = asked.fidelity, .failure = run.failure, .longer = asked.longer, .requests = run.requests};
    look.constant_times = has_constant_times(scenario);
    if (look.fidelity == Fidelity::full && look.failure.empty()) {
      const std::uint64_t taken = std::max<std::uint64_t>(1, run.summary.replications);
      look.waits = waiting_parts(scenario, run.summary);
      if (look.longer == 0) full_replications_[asked.candidate] = taken;
      const std::uint64_t first = full_replications_.at(asked.candidate);
      look.longest = is_deterministic(scenario)
                         ? look.longer == most_doubled_cycles
                         : first << (look.longer + 1) > most_times_replications * scenario.run.max_replications;
    }
    if (look.failure.empty()) look.figures = figures_by_simulation(scenario, run.summary, space_.terms);
    looks.push_back(std::move(look));
  }
  return looks;
}

}  // namespace saturn
