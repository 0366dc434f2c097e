#pragma once

#include <string>

#include "sim/engine/run_trace.hpp"

namespace saturn {

/// The timeline of a run, a row a sample and series: `time_s` (the end of the sample's interval), `name`, `kind`
/// ("use": mean busy share of a resource; "queue": mean number of requests that wait for a model) and `value`.
std::string timeline_csv(const RunTrace& trace);

}  // namespace saturn
