#include "reports/run/trace_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/values/text.hpp"
#include "reports/tables/json_parts.hpp"

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

namespace {

std::string quoted(const std::string& text) {
  return json_line(nlohmann::json(text));
}

/// Dates as whole numbers of a tick, so that what lies inside something else still does after rounding, and so that
/// viewers, which calculate with doubles, lose nothing.
class Ticks {
 public:
  explicit Ticks(double latest_s) : per_us_(latest_s < longest_in_ns ? 1000.0 : 1.0) {}

  double of(double seconds) const { return std::round(seconds * 1e6 * per_us_); }
  std::string microseconds(double ticks) const {
    return fmt::format("{:.{}f}", ticks / per_us_, per_us_ > 1.0 ? 3 : 0);
  }

 private:
  static constexpr double longest_in_ns = 9e6;  // 2^53 ns
  double per_us_;
};

double latest(const RunTrace& trace) {
  double latest_s = trace.end_s;
  for (const TraceSpan& span : trace.spans) latest_s = std::max(latest_s, span.end_s);
  for (const double end_s : trace.sample_ends_s) latest_s = std::max(latest_s, end_s);
  return latest_s;
}

/// Gathers the events of a document, one a line.
class TraceEvents {
 public:
  explicit TraceEvents(const RunTrace& trace) : trace_(trace), ticks_(latest(trace)), lanes_(trace_lanes(trace)) {
    number_tracks();
  }

  std::string text() {
    name_rows();
    for (std::size_t i = 0; i < trace_.spans.size(); ++i) span(trace_.spans[i], lanes_.lane[i]);
    for (const TimelineSeries& series : trace_.series) counter(series);
    return std::move(text_);
  }

 private:
  void number_tracks() {
    for (const TraceTrack& track : trace_.tracks)
      processes_.try_emplace({track.is_server, track.group}, processes_.size() + 1);
    resources_ = processes_.size() + 1;
    queues_ = resources_ + 1;
    std::size_t thread = queues_ + 1;
    for (const std::size_t lanes : lanes_.lanes) {
      first_thread_.push_back(thread);
      thread += lanes;
    }
  }

  std::size_t process_of(const TraceTrack& track) const { return processes_.at({track.is_server, track.group}); }

  void add(const std::string& event) {
    if (!text_.empty()) text_ += ",\n";
    text_ += "{" + event + "}";
  }

  void name_process(std::size_t process, const std::string& name) {
    const std::string pid = ",\"pid\":" + std::to_string(process);
    add(R"("ph":"M","name":"process_name")" + pid + R"(,"args":{"name":)" + quoted(name) + "}");
    add(R"("ph":"M","name":"process_sort_index")" + pid + R"(,"args":{"sort_index":)" + std::to_string(process) + "}");
  }

  void name_rows() {
    for (const auto& [group, process] : processes_)
      name_process(process, (group.first ? "server " : "jobs ") + group.second);
    name_process(resources_, "use of resources");
    name_process(queues_, "waiting requests");
    for (std::size_t t = 0; t < trace_.tracks.size(); ++t)
      for (std::size_t lane = 0; lane < lanes_.lanes[t]; ++lane) name_thread(trace_.tracks[t], t, lane);
  }

  void name_thread(const TraceTrack& track, std::size_t number, std::size_t lane) {
    const std::string place = row(process_of(track), first_thread_[number] + lane);
    const std::string name = lane == 0 ? track.name : track.name + " (" + std::to_string(lane + 1) + ")";
    add(R"("ph":"M","name":"thread_name")" + place + R"(,"args":{"name":)" + quoted(name) + "}");
    add(R"("ph":"M","name":"thread_sort_index")" + place + R"(,"args":{"sort_index":)" +
        std::to_string(first_thread_[number] + lane) + "}");
  }

  static std::string row(std::size_t process, std::size_t thread) {
    return ",\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(thread);
  }

  std::string args(const TraceSpan& span) const {
    std::string args;
    const auto add_arg = [&](const std::string& key, const std::string& value) {
      args += (args.empty() ? "\"" : ",\"") + key + "\":" + value;
    };
    if (span.call != 0) add_arg("request", std::to_string(span.call));
    if (span.kind != SpanKind::compute && span.kind != SpanKind::call)
      add_arg("model", quoted(trace_.labels[span.label]));
    if (span.items != 0) add_arg("items", std::to_string(span.items));
    if (span.rejected) add_arg("rejected", "true");
    return ",\"args\":{" + args + "}";
  }

  static bool is_part(SpanKind kind) {
    return kind != SpanKind::compute && kind != SpanKind::call && kind != SpanKind::batch;
  }

  void span(const TraceSpan& span, std::size_t lane) {
    const TraceTrack& track = trace_.tracks[span.track];
    const double begin = ticks_.of(span.begin_s);
    const double end = ticks_.of(span.end_s);
    const std::string kind = name_of(span.kind);
    const std::string name = is_part(span.kind) ? kind : trace_.labels[span.label];
    add(R"("ph":"X","name":)" + quoted(name) + R"(,"cat":")" + kind + "\"" +
        row(process_of(track), first_thread_[span.track] + lane) + ",\"ts\":" + ticks_.microseconds(begin) +
        ",\"dur\":" + ticks_.microseconds(end - begin) + args(span));
    if (span.kind != SpanKind::queue) return;
    const std::string waiting = R"(,"cat":"waiting","name":)" + quoted(trace_.labels[span.label]) +
                                ",\"id\":" + std::to_string(++waits_) + row(queues_, queues_) + ",\"ts\":";
    add(R"("ph":"b")" + waiting + ticks_.microseconds(begin) + args(span));
    add(R"("ph":"e")" + waiting + ticks_.microseconds(end));
  }

  void counter(const TimelineSeries& series) {
    const std::string name = (series.is_queue ? "waiting for " : "use of ") + series.name;
    const std::string event = R"("ph":"C","name":)" + quoted(name) +
                              ",\"pid\":" + std::to_string(series.is_queue ? queues_ : resources_) + ",\"ts\":";
    const std::string key = series.is_queue ? "requests" : "busy share";
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      const double from = i == 0 ? trace_.begin_s : trace_.sample_ends_s[i - 1];
      add(event + ticks_.microseconds(ticks_.of(from)) + ",\"args\":{\"" + key + "\":" + csv_number(series.values[i]) +
          "}");
    }
  }

  const RunTrace& trace_;
  Ticks ticks_;
  TraceLanes lanes_;
  std::map<std::pair<bool, std::string>, std::size_t> processes_;
  std::size_t resources_ = 0;
  std::size_t queues_ = 0;
  std::vector<std::size_t> first_thread_;  // by track
  std::size_t waits_ = 0;
  std::string text_;
};

}  // namespace

std::string trace_json(const RunTrace& trace, const TracedRunFacts& facts) {
  nlohmann::ordered_json about;
  about["title"] = facts.title;
  about["command"] = facts.provenance.command;
  about["seed"] = std::to_string(facts.provenance.seed);
  about["replica"] = std::to_string(facts.replica);
  about["scenario_sha256"] = facts.provenance.scenario_sha256;
  about["version"] = facts.provenance.version + " (" + facts.provenance.git + ")";
  about["recorded"] = "from " + csv_number(trace.begin_s) + " s to " + csv_number(trace.end_s) +
                      " s of simulated time" + (trace.cut ? "; cut there, since it was full" : "");
  const std::string head = json_line(about);
  return "{\"displayTimeUnit\":\"ms\",\"otherData\":" + head + ",\"traceEvents\":[\n" + TraceEvents(trace).text() +
         "\n]}\n";
}

std::string timeline_csv(const RunTrace& trace) {
  std::string text = "time_s,name,kind,value\n";
  for (std::size_t i = 0; i < trace.sample_ends_s.size(); ++i) {
    const std::string time = csv_number(trace.sample_ends_s[i]);
    for (const TimelineSeries& series : trace.series)
      text += time + "," + csv_cell(series.name) + (series.is_queue ? ",queue," : ",use,") +
              csv_number(series.values[i]) + "\n";
  }
  return text;
}

}  // namespace saturn
