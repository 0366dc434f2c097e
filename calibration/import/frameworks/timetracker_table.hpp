#pragma once

#include <string>
#include <string_view>

#include "calibration/import/measured_file.hpp"

namespace saturn {

/// True when a line begins TimeTracker's summary of an art job.
bool recognises_timetracker_table(std::string_view text);

/// Reads every summary that TimeTracker printed into a log: mean, spread and number of events of the event, the source
/// and each module. Columns are found by their names; a row may take two lines. Several tables are kept apart by
/// "(table 2)" behind the names.
/// @throws InputError  import.no_cpu_time, with the reason for each line
void read_timetracker_table(std::string_view text, const std::string& path, MeasuredFile& file);

}  // namespace saturn
