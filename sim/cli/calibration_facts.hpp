#pragma once

#include <span>
#include <string>

#include "calibration/calibrate.hpp"
#include "calibration/import/measured_file.hpp"
#include "reports/calibration_report.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

/// What the calibration says, as its report shows it.
CalibrationReport calibration_report(std::span<const MeasuredFile> files, const Calibration& calibration);

/// Adds what each source says of the scenario's saturation: service laws by the closed bounds of the scenario with that
/// law, closed loops directly.
void add_saturation(CalibrationReport& report, const Calibration& calibration, const Scenario& scenario,
                    const std::string& name);

/// "2026-11-21T15:20:00Z": now, or SOURCE_DATE_EPOCH where that is set, so that builds of files can be repeated.
std::string utc_date();

}  // namespace saturn
