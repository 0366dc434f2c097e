#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/import/measured_file.hpp"

/// What is wrong with, or known beyond, the files that somebody gives together.
namespace saturn {

/// Refuses files that hold the same bytes: the same measurements twice would count as more of them.
/// @throws InputError  calibration.same_file, one for each that repeats another
void refuse_doubles(std::span<const MeasuredFile> files);

/// Sets the items that a request carried wherever the files do not say: perf_analyzer's -b, which its CSV leaves out.
/// @param batch  > 0 [item]
void set_batches(std::span<MeasuredFile> files, double batch);

}  // namespace saturn
