#include "sim/plan/open_search.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "models/queueing/open_capacity.hpp"
#include "models/words/numbers.hpp"
#include "scenarios/demands/demands.hpp"
#include "sim/plan/costs/purchase_terms.hpp"

namespace saturn {

namespace {

constexpr std::uint64_t most_open_steps = std::uint64_t{1} << 20U;
constexpr std::uint64_t most_replications_a_step = 8;

/// The pool whose capacity is shortest.
struct Bottleneck {
  double load = 0.0;
  double offered_per_s = 0.0;  // of all pools
  std::string limit;
};

Bottleneck bottleneck_of(const Scenario& scenario) {
  const ClosedNetwork network = closed_network(scenario);
  Bottleneck found;
  for (std::size_t p = 0; p < network.classes.size(); ++p) {
    const OpenCapacity capacity = open_capacity(network, p);
    found.offered_per_s += capacity.offered_per_s;
    const double load = capacity.capacity_per_s > 0.0 ? capacity.load() : std::numeric_limits<double>::infinity();
    if (load <= found.load) continue;
    found.load = load;
    found.limit = capacity.limit;
  }
  return found;
}

/// One simulation a number of steps, each once.
class OpenCandidates {
 public:
  OpenCandidates(const Scenario& scenario, double loss, const Evaluate& evaluate)
      : fleet_(scenario), loss_(loss), evaluate_(evaluate) {}

  Scenario with(std::uint64_t steps) const { return fleet_.with_steps(steps); }

  bool accepted(std::uint64_t steps) {
    simulate({steps});
    return known_.at(steps).accepted;
  }

  void simulate(const std::vector<std::uint64_t>& wanted) {
    std::vector<std::uint64_t> steps;
    std::vector<Scenario> scenarios;
    for (const std::uint64_t step : wanted) {
      if (known_.contains(step)) continue;
      steps.push_back(step);
      scenarios.push_back(with(step));
      RunControl& run = scenarios.back().run;
      run.max_replications = std::max(run.min_replications, std::min(run.max_replications, most_replications_a_step));
    }
    if (steps.empty()) return;
    const std::vector<Results> summaries = evaluate_(scenarios);
    for (std::size_t i = 0; i < steps.size(); ++i) known_.emplace(steps[i], candidate(scenarios[i], summaries.at(i)));
  }

  std::vector<OpenCandidate> all() const {
    std::vector<OpenCandidate> candidates;
    for (const auto& [steps, candidate] : known_) candidates.push_back(candidate);
    return candidates;
  }
  const OpenCandidate& at(std::uint64_t steps) const { return known_.at(steps); }

 private:
  OpenCandidate candidate(const Scenario& scenario, const Results& summary) const {
    const Bottleneck bottleneck = bottleneck_of(scenario);
    OpenCandidate found{.gpus = device_count(scenario),
                        .capacity_per_s = bottleneck.offered_per_s / bottleneck.load,
                        .limit = bottleneck.limit};
    found.all_jobs = summary.all_jobs;
    for (const JobsResults& jobs : summary.jobs) {
      if (!jobs.open) throw std::invalid_argument("plan_open: a pool without arrivals was simulated");
      found.offered_per_s.mean += jobs["offered_per_s"].mean;
      found.offered_per_s.low += jobs["offered_per_s"].low;
      found.offered_per_s.high += jobs["offered_per_s"].high;
      found.verdict = std::max(found.verdict, jobs.open->verdict);
      if (&jobs == &summary.jobs.front() || jobs["lost_fraction"].mean > found.lost_fraction.mean)
        found.lost_fraction = jobs["lost_fraction"];
    }
    found.accepted = found.verdict == OpenVerdict::stable && found.lost_fraction.mean <= loss_;
    return found;
  }

  DeviceFleet fleet_;
  double loss_;
  const Evaluate& evaluate_;
  std::map<std::uint64_t, OpenCandidate> known_;
};

void say_costs(const Scenario& planned, const OpenCandidate& chosen, OpenPlan& plan) {
  const Expenses expenses = compute_expenses(planned, {});
  const double served_per_s = chosen.offered_per_s.mean * (1.0 - chosen.lost_fraction.mean);
  if (served_per_s > 0.0) plan.cost_per_million_events_usd = expenses.usd_per_million(served_per_s);
  if (plan.cost_per_million_events_usd) plan.priced = priced_parts(expenses);
}

}  // namespace

OpenPlan plan_open(const Scenario& scenario, double loss, const Evaluate& evaluate) {
  if (!all_open(scenario)) throw std::invalid_argument("plan_open: events do not arrive from outside at every pool");
  if (!(loss >= 0.0 && loss < 1.0)) throw std::invalid_argument("plan_open: a loss lies in [0, 1)");
  OpenCandidates candidates(scenario, loss, evaluate);
  constexpr double rounding = 1e-9;
  const double most_load = (1.0 + rounding) / (1.0 - loss);
  const auto served = [&](std::uint64_t steps) { return bottleneck_of(candidates.with(steps)).load <= most_load; };
  if (!served(most_open_steps)) {
    const Bottleneck bottleneck = bottleneck_of(candidates.with(most_open_steps));
    throw std::domain_error("no number of devices serves " + in_words(bottleneck.offered_per_s) + " events/s: \"" +
                            bottleneck.limit + "\" limits them to " +
                            in_words(bottleneck.offered_per_s / bottleneck.load) + " events/s");
  }
  std::uint64_t failed = 0;
  std::uint64_t good = most_open_steps;
  while (good - failed > 1) {
    const std::uint64_t middle = failed + (good - failed) / 2;
    (served(middle) ? good : failed) = middle;
  }
  const std::uint64_t by_bound = good;
  // The neighbours show how steep the edge is.
  candidates.simulate({std::max<std::uint64_t>(1, by_bound - by_bound / 10 - 1),
                       std::max<std::uint64_t>(1, by_bound - 1), by_bound, by_bound + 1});
  failed = by_bound - 1;
  good = by_bound;
  for (std::uint64_t step = 1; !candidates.accepted(good); step *= 2) {
    if (good > 4 * by_bound + 16)
      throw std::domain_error("no number of devices up to " + std::to_string(candidates.at(good).gpus) +
                              " keeps the pools stable and their loss within " + percent(loss) +
                              ": see what run says of the scenario with so many");
    failed = good;
    good += step;
  }
  while (good - failed > 1) {
    const std::uint64_t middle = failed + (good - failed) / 2;
    (candidates.accepted(middle) ? good : failed) = middle;
  }
  OpenPlan plan{.tolerated_loss = loss,
                .offered_per_s = bottleneck_of(scenario).offered_per_s,
                .gpus_by_bound = device_count(candidates.with(by_bound)),
                .gpus = candidates.at(good).gpus,
                .candidates = candidates.all()};
  say_costs(candidates.with(good), candidates.at(good), plan);
  return plan;
}

}  // namespace saturn
