#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/scenario.hpp"

namespace saturn {

/// The servers of a scenario as something that can be bought in steps: a step is the smallest set of devices with the
/// scenario's proportions. A server with one node grows by devices in that node (they share its network card); a server
/// with several nodes grows by nodes. Several servers grow together, in the proportion that the scenario gives them.
class DeviceFleet {
 public:
  explicit DeviceFleet(Scenario scenario);

  /// Steps that make up the scenario as it stands.
  std::uint64_t present_steps() const { return present_steps_; }

  /// The scenario with its servers grown, or shrunk, to so many steps. @param steps >= 1
  Scenario with_steps(std::uint64_t steps) const;

 private:
  Scenario scenario_;
  std::vector<std::uint64_t> counts_in_step_;  ///< (servers) devices, or nodes, of each server in a step
  std::uint64_t present_steps_ = 1;
};

}  // namespace saturn
