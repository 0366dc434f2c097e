#include <iterator>

#include "calibration/import/line_walk.hpp"
#include "calibration/import/server_importers.hpp"
#include "calibration/import/triton_counters.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr std::string_view way_out =
    "Save what the server answers at /metrics, port 8002, after it has answered requests: curl server:8002/metrics.";

bool recognises_triton(std::string_view text) {
  LineWalk lines(text);
  while (lines.next()) {
    const std::string_view line = trimmed(lines.text());
    for (const std::string_view begin : {"nv_inference_", "nv_gpu_", "# HELP nv_inference_", "# TYPE nv_inference_",
                                         "# HELP nv_gpu_", "# TYPE nv_gpu_"})
      if (line.starts_with(begin)) return true;
  }
  return false;
}

void read_triton(std::string_view text, const std::string& path, MeasuredFile& file) {
  LeftOutLines complaints(path);
  TritonCounters counters(path, complaints);
  LineWalk lines(text);
  while (lines.next()) {
    const std::string_view line = trimmed(lines.text());
    const std::string_view name = line.substr(0, line.find_first_of("{ \t"));
    if (line.starts_with('#') || !TritonCounters::counts(name)) continue;
    if (!lines.ended()) {
      complaints.add(lines.line(), "import.torn_line",
                     "The line is left out: no line end follows, so that digits may be missing; a whole dump ends with "
                     "one.",
                     lines.text());
      continue;
    }
    std::string fault;
    const auto sample = prometheus_line(line, fault);
    if (sample) {
      counters.take(*sample, lines.line(), lines.text());
    } else {
      complaints.add(lines.line(), "import.torn_line", "The line is left out: " + fault + ".", lines.text());
    }
  }
  std::vector<std::string> notes;
  std::vector<ServerCounters> read = counters.finish(notes);
  complaints.hand_over(
      file, !read.empty(), "import.no_counters",
      "There is no model with its counters of requests, inferences and executions above 0. " + std::string(way_out));
  std::move(read.begin(), read.end(), std::back_inserter(file.counters));
  std::move(notes.begin(), notes.end(), std::back_inserter(file.notes));
}

}  // namespace

ImportFormat triton_metrics() {
  return {.name = "Triton metrics",
          .looks_like = "lines such as nv_inference_count{model=\"a\",version=\"1\"} 42",
          .recognises = recognises_triton,
          .read = read_triton};
}

}  // namespace saturn
