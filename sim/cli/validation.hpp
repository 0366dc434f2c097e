#pragma once

#include <span>
#include <vector>

#include "calibration/measured_case.hpp"
#include "reports/validation_report.hpp"
#include "sim/run/replicate.hpp"

namespace saturn {

/// Simulates every row of every case, all of them together so that every core has work.
/// @param changes  applied to each row's scenario after the row's own
/// @throws InputError  a row's scenario is refused, measured.model
/// @throws RunFailed   a simulation gave no result
ValidationReport validated(std::span<const MeasuredCase> cases, const std::vector<Override>& changes,
                           const RunOptions& options);

}  // namespace saturn
