#pragma once

#include <vector>

#include "calibration/import/measured_file.hpp"

namespace saturn {

/// Puts what happened between two readings of a server's counters in the place of the later one: files with counters
/// that follow each other are readings of the same server, each to be compared with the one before. The first of them
/// then says nothing by itself. A single reading stays as it is: everything since the server started.
/// @throws InputError  import.no_difference
std::vector<MeasuredFile> with_differences(std::vector<MeasuredFile> files);

}  // namespace saturn
