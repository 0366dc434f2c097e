#pragma once

#include <string>
#include <string_view>

#include "calibration/import/measured_file.hpp"

namespace saturn {

/// True when the bytes begin as an SQLite 3 database does, whoever wrote it.
/// Source: https://www.sqlite.org/fileformat.html, section 1.3
bool recognises_sqlite(std::string_view bytes);

/// Reads the times that TimeTracker of art (LArSoft) writes: of the event, the source and each module. The database is
/// read from the given bytes: nothing is opened and nothing is written.
/// @throws InputError  import.other_database (names the tables that it has), import.damaged_database, import.no_events
void read_timetracker_database(std::string_view bytes, const std::string& path, MeasuredFile& file);

}  // namespace saturn
