#include "reports/trace_lanes.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace saturn {

TraceLanes trace_lanes(const RunTrace& trace) {
  TraceLanes lanes{.lane = {}, .lanes = std::vector<std::size_t>(trace.tracks.size(), 1)};
  lanes.lane.reserve(trace.spans.size());
  std::vector<std::vector<double>> taken_until(trace.tracks.size());
  std::unordered_map<std::uint64_t, std::size_t> lane_of_call;
  for (const TraceSpan& span : trace.spans) {
    const bool is_part = span.call != 0 && span.kind != SpanKind::call;
    const auto whole = is_part ? lane_of_call.find(span.call) : lane_of_call.end();
    if (whole != lane_of_call.end()) {
      lanes.lane.push_back(whole->second);
      continue;
    }
    std::vector<double>& ends = taken_until[span.track];
    const auto free = std::find_if(ends.begin(), ends.end(), [&](double end) { return end <= span.begin_s; });
    const auto lane = static_cast<std::size_t>(free - ends.begin());
    if (free == ends.end()) ends.push_back(0.0);
    ends[lane] = span.end_s;
    lanes.lane.push_back(lane);
    lanes.lanes[span.track] = std::max(lanes.lanes[span.track], lane + 1);
    if (span.kind == SpanKind::call) lane_of_call[span.call] = lane;
  }
  return lanes;
}

}  // namespace saturn
