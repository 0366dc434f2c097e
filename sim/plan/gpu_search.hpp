#pragma once

#include <optional>

#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/simulated_points.hpp"

namespace saturn {

/// The fewest devices, in whole steps, with which the clients saturate nothing, by the bound; nothing where no number
/// of devices helps.
std::optional<Scenario> fewest_unsaturated(const Scenario& scenario);

/// Finds the fewest devices that carry the scenario's clients within the tolerated slowdown: the fewest that the bound
/// allows, then as many more as the simulation finds necessary.
/// @returns the accepted point, confirmed
/// @throws std::domain_error  another resource saturates, or alone makes the events slower, however many devices there
/// are
const SimulatedPoint& find_gpus(const Scenario& scenario, const PlanQuestion& question, SimulatedPoints& points);

/// The fewest devices that the bound allows, which no simulation has confirmed.
/// @throws std::domain_error  no number of devices does
std::uint64_t gpus_by_bound(const Scenario& scenario, const PlanQuestion& question);

}  // namespace saturn
