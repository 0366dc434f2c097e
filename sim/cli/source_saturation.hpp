#pragma once

#include <string>

#include "calibration/calibrate.hpp"
#include "calibration/source_knee.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// What each source says of the scenario's saturation: service laws by the closed bounds of the scenario with that law,
/// closed loops directly.
/// @param name  of the scenario, as the user gave it
SourceKnees saturation_by_source(const Calibration& calibration, const Scenario& scenario, const std::string& name);

/// "2026-11-21T15:20:00Z": now, or SOURCE_DATE_EPOCH where that is set, so that builds of files can be repeated.
std::string utc_date();

}  // namespace saturn
