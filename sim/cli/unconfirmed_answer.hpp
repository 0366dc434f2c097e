#pragma once

#include "reports/unconfirmed_report.hpp"
#include "sim/cli/common_options.hpp"

namespace saturn {

/// Prints what the formulas say where the budget ended before a simulation was complete.
/// @returns precision_not_reached
ExitCode give_unconfirmed(const UnconfirmedReport& report, const OutputOptions& output);

}  // namespace saturn
