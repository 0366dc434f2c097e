#pragma once

#include <string>

namespace saturn {

/// What makes a simulated event longer than t_ideal.
struct WaitingPart {
  std::string what{};      ///< "requests of net wait for a free instance"
  double per_event_s = 0;  ///< summed over an event's requests, also those that wait at the same time [s]
};

}  // namespace saturn
