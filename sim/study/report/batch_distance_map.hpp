#pragma once

#include <string>
#include <vector>

#include "reports/figures/maps/heat_map_figure.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

/// An input that a map varies: its axis, and what a value of it sets.
struct VariedAxis {
  MapAxis axis{};
  std::vector<std::vector<Override>> settings{};  ///< (values) for ReadScenario::again
  std::string why_not{};                          ///< nothing of the kind can be varied
};

/// What batches the devices get: the request batch of the stage that takes most of their time; where its requests are
/// single, the largest batch that the server forms; where that is fixed as well, the speed of the devices.
VariedAxis batch_axis(const ReadScenario& read);

/// Numbers in steps of about `factor`, `present` among them, from `least` to `most`.
/// @param present  > 0
std::vector<double> geometric_values(double present, double least, double most, double factor);

/// Round-trip times between jobs and servers [s], to be set with with_round_trip(); without values where there is no
/// link.
MapAxis round_trip_axis(const Scenario& scenario);

}  // namespace saturn
