#pragma once

#include <vector>

#include "calibration/import/measured_file.hpp"

namespace saturn {

/// Mean and standard deviation (n - 1) of single times, with their number; nothing of the kind where there are none.
/// @param values_s  finite, >= 0 [s]
CpuTimes sampled_times(std::vector<double> values_s);

}  // namespace saturn
