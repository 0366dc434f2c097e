#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/results/run_outcome.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/topology/routes.hpp"
#include "sim/engine/recording/readings.hpp"

/// What two readings, one after the other, say of calls that come late or fail, and of nodes that break, come and go.

namespace saturn {

CallOutcome calls_between(const CallMeter& from, const CallMeter& to);

/// Of the nodes behind a resource; absent where none breaks, comes or goes, or where it is no server's devices.
/// @param servers  in the order of the scenario's
std::optional<FleetOutcome> fleet_between(const Scenario& scenario, const std::vector<ServerResources>& servers,
                                          std::size_t resource, const Reading& from, const Reading& to);

/// Of everything together.
Moment moment_between(const Scenario& scenario, const std::vector<ServerResources>& servers, const Reading& from,
                      const Reading& to);

}  // namespace saturn
