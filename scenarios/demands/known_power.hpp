#pragma once

#include <optional>
#include <span>

#include "scenarios/scenario.hpp"

namespace saturn {

/// Power of a scenario, busy or not.
struct KnownPower {
  std::optional<double> devices_w{};  ///< absent where a device's is not known; 0 without devices
  std::optional<double> cores_w{};    ///< of the jobs; absent where it is not known
  /// Devices, and cores where known; absent where a device's is not, or nothing's.
  std::optional<double> all_w{};
};

/// @param nodes  that are there of each server, (servers), on average; empty: all that the scenario has
KnownPower known_power(const Scenario& scenario, std::span<const double> nodes = {});

}  // namespace saturn
