#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// What one run did, moment by moment, in a window of simulated time.

namespace saturn {

/// Which part of a run is recorded.
struct TraceWindow {
  double from_s = 0.0;               ///< simulated time at which it begins [s]
  double length_s = 0.0;             ///< [s], > 0
  std::size_t most_spans = 200'000;  ///< recording ends there
  /// Samples of the timeline over the window; 0: none.
  std::size_t samples = 0;
};

/// What a span is. What takes no time has none.
enum class SpanKind {
  compute,  ///< a client computes on its CPU
  call,     ///< a client's request, from its sending to its answer
  send,     ///< the request on the network
  queue,    ///< the request waits in the server, host's handling included
  execute,  ///< the request in a batch
  receive,  ///< the answer on the network
  batch,    ///< an instance executes a batch
};

/// "compute", "call", "send", "queue", "execute", "receive", "batch"
const char* name_of(SpanKind kind);

/// Something that lasted.
struct TraceSpan {
  SpanKind kind = SpanKind::compute;
  std::uint32_t track = 0;  ///< index into RunTrace::tracks: the client, or the instance
  double begin_s = 0.0;     ///< simulated time [s], maybe before the window
  double end_s = 0.0;       ///< maybe after it, at most the end of the run
  std::uint32_t label = 0;  ///< index into RunTrace::labels: the stage or the model
  std::uint64_t call = 0;   ///< number of the request, 0: none; the same in all spans of one request
  std::uint32_t items = 0;  ///< of the request, or of the batch
  bool rejected = false;    ///< of a request, from when its server refused it on
};

/// Who does something.
struct TraceTrack {
  std::string group{};  ///< the pool of jobs, or the server with its device: "reco", "gke/t4"
  std::string name{};   ///< "stream 12", "device 0, instance 1"
  bool is_server = false;
};

/// A quantity over time: use of a resource, or length of a queue.
struct TimelineSeries {
  std::string name{};            ///< "gke/t4", "emtrk"
  bool is_queue = false;         ///< requests that wait; else the busy share of the resource [1]
  std::vector<double> values{};  ///< (samples) mean over each interval
};

/// One recorded run.
struct RunTrace {
  double begin_s = 0.0;  ///< of what was recorded: all that touches it, requests with all their parts [s]
  double end_s = 0.0;
  bool cut = false;  ///< most_spans ended it early; the timeline has the whole window all the same
  std::vector<TraceTrack> tracks{};
  std::vector<std::string> labels{};
  std::vector<TraceSpan> spans{};        ///< by begin
  std::vector<double> sample_ends_s{};   ///< (samples) [s]
  std::vector<TimelineSeries> series{};  ///< each with so many values
};

}  // namespace saturn
