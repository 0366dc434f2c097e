#pragma once

#include <functional>
#include <span>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "sim/plan/candidate_space.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/search.hpp"
#include "sim/plan/sensitivity.hpp"

namespace saturn {

/// Every numeric quantity of the scenario's inputs: times, rates, sizes, bandwidths, round trips, items, service laws,
/// prices; not what the planner chooses (counts of jobs and devices, batching) nor run control. With the uncertainty of
/// the fit that a value comes from, else `assumed`.
std::vector<SensitivityInput> sensitivity_inputs(const ReadScenario& read, double assumed);

/// Elasticities of clients per GPU within a tolerated slowdown, at a plan's answer. Where the answer is where the first
/// resource saturates, from the bounds, exactly; where it is the crossing of the slowdown, from simulations of the
/// scenario at the crossing with each input raised and lowered, replication by replication with the same random
/// numbers, over the local slope in the number of clients.
Sensitivity sensitivity_of_plan(const Plan& plan, const PlanQuestion& question, const ReadScenario& read,
                                const MakeScenario& make, const EvaluateEach& evaluate, double assumed);

/// Elasticities of an objective's figure (cost per million events, throughput, ...) at a candidate.
Sensitivity sensitivity_of_candidate(const SearchedCandidate& candidate, const Objective& objective,
                                     const PurchaseTerms& terms, const ReadScenario& read, const MakeScenario& make,
                                     const EvaluateEach& evaluate, double assumed);

}  // namespace saturn
