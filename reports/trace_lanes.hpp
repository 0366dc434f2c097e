#pragma once

#include <cstddef>
#include <vector>

#include "sim/engine/run_trace.hpp"

namespace saturn {

/// Where the spans of a trace stand, so that those in one lane of a track lie inside each other or apart: a request
/// takes its parts with it, and takes another lane while an earlier one is under way.
struct TraceLanes {
  std::vector<std::size_t> lane{};   ///< by span: from 0, on its track
  std::vector<std::size_t> lanes{};  ///< by track: how many
};

/// @param spans  by begin, a request before its parts
TraceLanes trace_lanes(const RunTrace& trace);

}  // namespace saturn
