#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/closed_network.hpp"
#include "models/run_outcome.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/reading.hpp"

/// What a run says of a pool that events reach from outside.
namespace saturn {

/// Its arrivals, losses, backlog and verdict.
/// @param readings  (n) those of the window, both of its edges included, n >= 2
OpenOutcome open_outcome(const Scenario& scenario, const ClosedNetwork& network, std::size_t pool,
                         std::span<const Reading> readings);

/// Conservation (arrived = ended + lost + present) and Little's law of the events present, both exact in every window,
/// and the bounds where they apply.
std::vector<Check> check_open_pool(const Scenario& scenario, const ClosedNetwork& network, std::size_t pool,
                                   const Reading& from, const Reading& to, bool bounded);

}  // namespace saturn
