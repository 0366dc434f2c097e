#pragma once

#include <limits>
#include <vector>

#include "models/run_checks.hpp"
#include "sim/engine/meters.hpp"
#include "sim/engine/station_meter.hpp"

namespace saturn {

/// What stands on the meters of a whole run at one date. Two of them, subtracted, say what happened between their
/// dates.
struct Reading {
  double date = 0.0;
  std::vector<PoolMeter> pools;
  std::vector<ModelMeter> models;
  std::vector<StationMeter> resources;  ///< in the order of the network's; areas only, but of devices and hosts
  std::vector<StationMeter> legs;       ///< in the order of the service's ways
};

/// Every arrival and departure is dated to the clock's last digit, which is coarse against a short service late in a
/// long run.
inline double clock_error(const StationCounts& counts, double date) {
  const double dates = static_cast<double>(counts.arrivals + counts.departures + counts.present_before);
  return 4.0 * dates * std::numeric_limits<double>::epsilon() * date;
}

}  // namespace saturn
