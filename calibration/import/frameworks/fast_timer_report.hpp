#pragma once

#include <string>
#include <string_view>

#include "calibration/import/measured_file.hpp"

namespace saturn {

/// True when the text begins like the resources.json of CMSSW's FastTimerService.
bool recognises_fast_timer(std::string_view text);

/// Reads the mean CPU time of each module, over the events in which it ran, and of the whole event ("total"). The file
/// holds sums in milliseconds; the threads' CPU time is taken before the real time.
/// @throws InputError  import.not_json, import.no_cpu_time
/// Source: cms-sw/cmssw, HLTrigger/Timer/plugins/FastTimerService.cc, writeSummaryJSON
void read_fast_timer(std::string_view text, const std::string& path, MeasuredFile& file);

}  // namespace saturn
