#pragma once

#include <string>

#include "reports/calibration_report.hpp"

namespace saturn {

/// A fitted file as `saturn calibrate` wrote it. Files of former versions lack what plots are titled by: their curves
/// go through the points.
/// @throws InputError  report.not_fitted, report.bad_fit, with every place that is wrong; scenario.missing_file,
///                     .not_a_file, .unreadable_file, .too_large; report.bad_json
CalibrationReport read_fitted_file(const std::string& path);

}  // namespace saturn
