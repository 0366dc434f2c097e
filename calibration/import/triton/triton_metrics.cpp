#include <cmath>
#include <iterator>

#include "calibration/import/imported_text.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "calibration/import/triton/triton_counters.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

double sum_of(const ServerCounters& counters, const char* name) {
  const auto found = counters.sums_s.find(name);
  return found == counters.sums_s.end() ? 0.0 : found->second;
}

double compute_of(const ServerCounters& counters) {
  return sum_of(counters, "compute_input_s") + sum_of(counters, "compute_infer_s") +
         sum_of(counters, "compute_output_s");
}

bool knows_compute(const ServerCounters& counters) {
  return counters.sums_s.contains("compute_infer_s");
}

/// Models that answered equally many requests, those left out that are known to be ensembles.
struct EqualRequests {
  double compute_s = 0.0;
  std::vector<std::string> models{};
};

using ByRequests = std::map<double, EqualRequests>;

ByRequests group(const std::vector<ServerCounters>& counters) {
  ByRequests groups;
  for (const ServerCounters& one : counters) {
    if (one.ensemble) continue;
    groups[one.requests].compute_s += compute_of(one);
    groups[one.requests].models.push_back(one.model);
  }
  return groups;
}

// Triton adds the times of the steps to those of the ensemble; each counter is rounded to microseconds by itself.
std::string steps_that_add_up(const ServerCounters& one, const ByRequests& groups) {
  const EqualRequests& equal = groups.at(one.requests);
  const double others = equal.compute_s - compute_of(one);
  if (equal.models.size() < 3 || !(others > 0.0) || std::abs(others - compute_of(one)) > 1e-3 * others) return "";
  constexpr std::size_t most_named = 10;
  std::string names;
  std::size_t named = 0;
  for (const std::string& model : equal.models) {
    if (model == one.model) continue;
    if (named++ == most_named) return names + " and others";
    append_part(names, model);
  }
  return names;
}

std::string why_ensemble(const ServerCounters& one, bool without_gpu) {
  if (one.items <= 0.0 || one.executions <= 0.0) return "it executed no batch of its own";
  if (knows_compute(one) && compute_of(one) <= 0.0) return "it has no compute time of its own";
  if (without_gpu) return "it names no GPU, while other models do: an ensemble, or a model on CPUs";
  return "";
}

void mark(ServerCounters& one, const std::string& why, std::vector<std::string>& notes) {
  if (why.empty()) return;
  one.ensemble = true;
  notes.push_back(one.model + " is taken for an ensemble, and no service law follows from it: " + why + ".");
}

}  // namespace

void mark_ensembles(std::vector<ServerCounters>& counters, const std::set<std::string>& without_gpu,
                    std::vector<std::string>& notes) {
  for (ServerCounters& one : counters) mark(one, why_ensemble(one, without_gpu.contains(one.model)), notes);
  const ByRequests groups = group(counters);
  for (ServerCounters& one : counters) {
    if (one.ensemble) continue;
    const std::string steps = steps_that_add_up(one, groups);
    mark(one, steps.empty() ? "" : "its compute times are the sum of those of " + steps, notes);
  }
}

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
