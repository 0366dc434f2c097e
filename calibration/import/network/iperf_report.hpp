#pragma once

#include <string>
#include <string_view>

#include "calibration/import/measured_file.hpp"

namespace saturn {

/// True when the text begins like the report of `iperf3 -J`.
bool recognises_iperf(std::string_view text);

/// Reads the throughput of the whole test, as received, and of each interval.
/// @throws InputError  import.not_json, import.iperf_error (iperf3's own words), import.no_throughput
void read_iperf(std::string_view text, const std::string& path, MeasuredFile& file);

}  // namespace saturn
