#pragma once

#include <optional>
#include <string>

#include "sim/plan/free_options.hpp"
#include "sim/plan/option_complaints.hpp"

namespace saturn {

/// Reads the name of an objective. Complains (objective.unknown, objective.missing).
/// @param needed  something is free, so that there is something to choose
std::optional<Objective> read_objective(const std::optional<std::string>& name, bool needed,
                                        OptionComplaints& complaints);

/// Complains where an objective or a requirement needs what the scenario does not say: prices of devices, their power
/// (objective.no_price, objective.no_power, require.no_price, require.no_power), or the number of events
/// (events.needed).
/// @param option  "--objective cost", "--require rent <= 5 USD/h"
void refuse_unknowable(const std::string& option, MeasureId figure, const CandidateSpace& space,
                       const ReadScenario& read, bool has_events, OptionComplaints& complaints);

}  // namespace saturn
