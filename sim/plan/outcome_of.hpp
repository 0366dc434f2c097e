#pragma once

#include "models/alternatives_comparison.hpp"
#include "models/results.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// What a simulated scenario comes to as an alternative. Core time is wasted while an event is in a stage of inference:
/// each event loop holds a core of its own, busy or not.
/// Costs are those of expenses_of(), without a reserve.
AlternativeOutcome outcome_of(const Scenario& scenario, const Results& summary);

}  // namespace saturn
