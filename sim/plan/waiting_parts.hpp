#pragma once

#include <vector>

#include "models/results.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// What makes a simulated event longer than t_ideal.
struct WaitingPart {
  std::string what{};      ///< "requests of net wait for a free instance"
  double per_event_s = 0;  ///< summed over an event's requests, also those that wait at the same time [s]
};

/// Where the time goes that a simulated event takes beyond t_ideal: held back by a batcher, waiting for an instance,
/// for the device that instances share, for a larger batch to end, in shared transfers, for a core. The longest first;
/// those below a thousandth of the event time are left out.
/// @param scenario  as it was simulated
std::vector<WaitingPart> waiting_parts(const Scenario& scenario, const Results& summary);

}  // namespace saturn
