#pragma once

#include <cstdint>
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

/// @param spare_nodes  of each server, (servers), beside those that work; empty: none
KnownPower known_power(const Scenario& scenario, std::span<const std::uint64_t> spare_nodes = {});

}  // namespace saturn
