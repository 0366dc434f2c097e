#pragma once

#include <string>
#include <string_view>

#include "calibration/import/measured_file.hpp"

namespace saturn {

/// True when the first line names columns of a plain table: clients, concurrency or batch, and something measured.
bool recognises_plain_table(std::string_view text);

/// Reads a table with a header, its columns separated by commas, semicolons or tabs: clients and event time or events
/// per second; concurrency and throughput; batch and time. Units stand in the columns' names: event_time_s, latency_ms,
/// throughput [1/s].
/// @throws InputError  import.missing_unit, import.unknown_unit, import.duplicate_column, import.missing_column,
///                     import.no_rows, with the reason for each line
void read_plain_table(std::string_view text, const std::string& path, MeasuredFile& file);

}  // namespace saturn
