#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/run/provenance.hpp"
#include "sim/engine/recording/run_trace.hpp"

namespace saturn {

/// Where the spans of a trace stand, so that those in one lane of a track lie inside each other or apart: a request
/// takes its parts with it, and takes another lane while an earlier one is under way.
struct TraceLanes {
  std::vector<std::size_t> lane{};   ///< by span: from 0, on its track
  std::vector<std::size_t> lanes{};  ///< by track: how many
};

/// @param spans  by begin, a request before its parts
TraceLanes trace_lanes(const RunTrace& trace);

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

/// The timeline of a run, a row a sample and series: `time_s` (the end of the sample's interval), `name`, `kind`
/// ("use": mean busy share of a resource; "queue": mean number of requests that wait for a model) and `value`.
std::string timeline_csv(const RunTrace& trace);

}  // namespace saturn
