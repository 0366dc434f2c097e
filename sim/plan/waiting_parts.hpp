#pragma once

#include <vector>

#include "models/results.hpp"
#include "models/waiting_part.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// Where the time goes that a simulated event takes beyond t_ideal: held back by a batcher, waiting for an instance,
/// for the device that instances share, for a larger batch to end, in shared transfers, for a core. The longest first;
/// those below a thousandth of the event time are left out.
/// @param scenario  as it was simulated
std::vector<WaitingPart> waiting_parts(const Scenario& scenario, const Results& summary);

}  // namespace saturn
