#pragma once

#include <optional>
#include <string>

#include "models/results/run_outcome.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/simulate.hpp"

namespace saturn::tests {

/// What a drawn scenario may have.
struct DrawnScenario {
  bool random_times = true;  ///< drawn durations and lengths, besides constant ones
  bool refusals = true;      ///< queues that turn requests away
  bool several_pools = true;
  bool sequences = true;  ///< stateful models
};

/// A duration between the two, of whatever law.
TimeDistribution any_time(double least_s, double most_s, bool random = true);

/// Several pools, models, ensembles, servers, links, batching rules, ways to share devices and to balance: whatever the
/// reader lets pass and the engine accepts. To be called within a property of RapidCheck.
Scenario any_serving_scenario(const DrawnScenario& may_have = {});

/// A run of so many events, or of a few of each stream where that is more.
Replica short_run(const Scenario& scenario, double events = 400.0, bool drain = true);

/// Nothing when a pool ended no event in so short a run: one whose requests everybody else overtakes.
std::optional<RunOutcome> outcome_of(const Scenario& scenario, const Replica& replica);

/// Fails the property for a law that the run has broken.
void expect_lawful(const RunOutcome& outcome);

/// What matters of it for a reader who has to find out why it fails.
std::string described(const Scenario& scenario);

}  // namespace saturn::tests
