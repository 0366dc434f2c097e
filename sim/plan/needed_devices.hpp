#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"

/// How many devices each number of clients needs, fleet after fleet: what a buyer reads steps from.

namespace saturn {

/// What one number of devices carries.
struct FleetLoad {
  std::uint64_t devices = 0;
  std::vector<std::pair<std::string, std::uint64_t>> of_types{};  ///< by device type; their sum is `devices`
  std::optional<double> usd_per_h{};  ///< devices and hosts; absent where a device has no price
  /// Within each of the tolerances, not rounded: clients, or where events arrive, of these per second.
  std::vector<double> carried{};
  std::vector<bool> simulated{};  ///< which of them were; others follow the bound, see needed_devices()
};

/// Something that no number of devices moves.
struct LoadWall {
  std::string resource{};
  double at = 0.0;  ///< load at which it saturates
};

/// Devices needed against the load: clients, or where events arrive from outside their rate [1/s].
struct DeviceNeed {
  bool open = false;                 ///< events arrive: tolerances are shares of them that may be lost
  std::vector<double> tolerances{};  ///< ascending [1]
  std::vector<FleetLoad> fleets{};   ///< by devices; where nothing is gained by more of them, they end
  std::optional<LoadWall> wall{};    ///< the lowest
  double load = 0.0;                 ///< the scenario's own
  std::uint64_t devices = 0;         ///< the scenario's own
  double most_load = 0.0;            ///< up to which it is told
  bool cut = false;                  ///< the budget ended before all was simulated that was to be
};

/// The tolerances that are told beside each other: events that take 1, 5 and 20 % longer; shares of arrivals that are
/// lost.
std::vector<double> told_tolerances(bool open);

/// Devices needed up to at least twice the scenario's own load. The bound says what each fleet carries; the smallest,
/// the present and the largest fleet are simulated, and what the simulation finds below or above the bound holds in
/// proportion for the fleets between them, and for up to ten times larger ones where those do not carry the scenario's
/// own load. Where events arrive from outside all is by the bound.
/// @param evaluate  see make_plan(); an OutOfBudget leaves what is known
/// @throws std::invalid_argument  pools of both kinds, or no devices
DeviceNeed needed_devices(const System& system, const Evaluate& evaluate);

}  // namespace saturn
