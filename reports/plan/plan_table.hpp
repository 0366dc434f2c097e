#pragma once

#include <string>

#include "reports/plan/plan_report.hpp"
#include "reports/tables/text_table.hpp"

namespace saturn {

/// Event time against jobs per device: the bound as blocks, simulated candidates as points, the plan marked below the
/// axis. Empty unless the style has pictures, and where nothing saturates.
std::string saturation_text(const PlanReport& report, TextStyle style);

}  // namespace saturn
