#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "calibration/fit/fit.hpp"
#include "calibration/import/measured_file.hpp"

/// Measured rows that no server can have together, each in a sentence with the measurement that would decide.

namespace saturn {

/// The first few times of batches that cannot all be true, see batch_time_faults().
/// @param points  x: items of a batch, y: T(b) [s]
std::vector<std::string> impossible_times(std::span<const FitPoint> points);

/// Lone clients that wait longer than each of two, of the same model and batch: beyond three standard errors and 2 %,
/// or 5 % where an error is not known. The longest against its pair.
std::vector<std::string> slow_lone_clients(std::span<const LoadPoint> loads);

/// Both, of the loads and counters of a file.
std::vector<std::string> impossible_rows(const MeasuredFile& file);

/// Loads of a rate that a law does not allow, one batch at a time on each instance: the worst, in a sentence; empty for
/// none.
/// @param law  (items, T(b) [s]), over the sizes that it holds for
std::string rates_above_law(std::span<const LoadPoint> loads, std::span<const std::pair<double, double>> law);

}  // namespace saturn
