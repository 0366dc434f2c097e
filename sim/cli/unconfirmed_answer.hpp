#pragma once

#include <string>

#include "reports/unconfirmed_report.hpp"
#include "scenarios/scenario.hpp"
#include "sim/cli/common_options.hpp"

namespace saturn {

/// What the formulas say of a scenario whose budget ended before a simulation was complete.
UnconfirmedScenario unconfirmed(const std::string& name, const Scenario& scenario);

/// Prints it in the asked format.
/// @returns precision_not_reached
ExitCode give_unconfirmed(const UnconfirmedReport& report, const OutputOptions& output);

}  // namespace saturn
