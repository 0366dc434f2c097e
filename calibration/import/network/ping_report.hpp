#pragma once

#include <string>
#include <string_view>

#include "calibration/import/measured_file.hpp"

namespace saturn {

/// True when a line is one of ping's: Linux (iputils, BusyBox) or macOS.
bool recognises_ping(std::string_view text);

/// Reads every run of ping in the text: the first answer to each packet, or the summary where no answers stand there.
/// The answers are checked against the summary.
/// @throws InputError  import.no_round_trip, with the reason for each run
void read_ping(std::string_view text, const std::string& path, MeasuredFile& file);

}  // namespace saturn
