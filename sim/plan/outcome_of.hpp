#pragma once

#include <optional>

#include "models/alternatives_comparison.hpp"
#include "models/summary.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// What a simulated scenario comes to as an alternative. Core time is wasted while an event is in a stage of inference:
/// each event loop holds a core of its own, busy or not.
/// @param core_price  rent of one core; absent: the cost is that of the devices alone, and absent without devices
AlternativeOutcome outcome_of(const Scenario& scenario, const RunSummary& summary,
                              std::optional<UsdPerHour> core_price);

}  // namespace saturn
