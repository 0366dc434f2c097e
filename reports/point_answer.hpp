#pragma once

#include "models/summary.hpp"
#include "reports/system_facts.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// What a simulated point of a sweep answers with: rate and time of events, slowdown, what becomes of events that
/// arrive from outside, of each model the requests, latency, and batches, of each resource how busy it is, and what
/// saturates first and next. Times that only grow are left out.
PointAnswer point_answer(const RunSummary& summary, const SystemFacts& facts);

}  // namespace saturn
