#pragma once

#include <optional>

#include "scenarios/scenario.hpp"

namespace saturn {

/// The longest round trip between jobs and servers [s]; nothing where they need no link.
std::optional<double> round_trip_of(const Scenario& scenario);

/// All links between jobs and servers made longer in proportion, so that the longest round trip takes so long; links of
/// no length share it evenly.
/// @param seconds  >= 0 [s]
Scenario with_round_trip(const Scenario& scenario, double seconds);

}  // namespace saturn
