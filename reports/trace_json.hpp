#pragma once

#include <cstdint>
#include <string>

#include "reports/provenance.hpp"
#include "sim/engine/run_trace.hpp"

namespace saturn {

/// Which run a trace is of.
struct TracedRunFacts {
  Provenance provenance{};
  std::string title{};
  std::uint32_t replica = 0;
};

/// A trace in Chrome's trace event format, which ui.perfetto.dev and chrome://tracing open. A process is a pool of jobs
/// or a server with its devices, a thread a client (and another one, where several of its requests are under way) or an
/// instance. Requests that wait in a server are asynchronous events, since they overlap; uses and numbers of waiting
/// requests are counters. Times in µs, rounded to 1 ns (to 1 µs after 104
/// days). The same trace gives the same bytes.
/// Source  "Trace Event Format", the Chromium project
std::string trace_json(const RunTrace& trace, const TracedRunFacts& facts);

}  // namespace saturn
