#include "calibration/import/perf_report_block.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "calibration/import/imported_text.hpp"
#include "calibration/import/line_walk.hpp"
#include "calibration/import/measured_file.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

std::optional<double> leading_number(std::string_view text) {
  text = trimmed(text);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !is_measurable(value)) return std::nullopt;
  return value;
}

// "queue 15854 usec" somewhere in the line; "compute 7 usec" is not found in "compute input 20 usec". A time that was
// cut before its unit may have lost digits.
std::optional<double> part_usec(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const bool whole_word = at == 0 || line[at - 1] == ' ' || line[at - 1] == '(';
    const std::string_view behind = line.substr(at + name.size());
    if (!whole_word || !behind.starts_with(' ')) continue;
    const std::size_t end = behind.find_first_not_of("0123456789.", 1);
    if (end == 1 || end == std::string_view::npos || !behind.substr(end).starts_with(" usec")) continue;
    return leading_number(behind.substr(1, end - 1));
  }
  return std::nullopt;
}

// "Avg latency: 4311 usec ..."
std::optional<double> usec_behind(std::string_view line, std::string_view text) {
  if (!line.starts_with(text)) return std::nullopt;
  const std::string_view behind = trimmed(line.substr(text.size()));
  const std::size_t end = behind.find_first_not_of("0123456789.");
  if (end == std::string_view::npos || !behind.substr(end).starts_with(" usec")) return std::nullopt;
  return leading_number(behind.substr(0, end));
}

}  // namespace

std::optional<double> number_behind(std::string_view line, std::string_view text) {
  if (!line.starts_with(text)) return std::nullopt;
  return leading_number(line.substr(text.size()));
}

void PerfReportReader::put(const char* name, std::optional<double> microseconds) {
  if (microseconds) block_.measured.emplace(name, *microseconds * microsecond);
}

void PerfReportReader::take(std::string_view line) {
  if (line.starts_with("Client:")) {
    part_ = Part::client;
  } else if (line.starts_with("Server:")) {
    part_ = Part::server;
  } else if (line.starts_with("Composing models:")) {
    part_ = Part::none;  // what follows is of other models
  } else if (part_ == Part::client) {
    client(line);
  } else if (part_ == Part::server) {
    server(line);
  }
}

void PerfReportReader::client(std::string_view line) {
  if (const auto requests = number_behind(line, "Request count:")) block_.requests = requests;
  if (line.ends_with("infer/sec")) {
    const auto items = number_behind(line, "Throughput:");
    if (items && *items > 0.0) block_.items_per_s = items;
  }
  if (line.starts_with("Avg latency:")) {
    put("latency_mean_s", usec_behind(line, "Avg latency:"));
    put("latency_sd_s", part_usec(line, "standard deviation"));
  }
  constexpr std::array<std::pair<const char*, const char*>, 4> percentiles{{{"p50 latency:", "latency_p50_s"},
                                                                            {"p90 latency:", "latency_p90_s"},
                                                                            {"p95 latency:", "latency_p95_s"},
                                                                            {"p99 latency:", "latency_p99_s"}}};
  for (const auto& [text, name] : percentiles) put(name, usec_behind(line, text));
  for (const char* protocol : {"Avg HTTP time:", "Avg gRPC time:"}) {
    if (!line.starts_with(protocol)) continue;
    user_time_ = usec_behind(line, protocol);
    wait_ = part_usec(line, "response wait");
    put("send_s", part_usec(line, "send"));
    put("send_s", part_usec(line, "marshal"));
    put("receive_s", part_usec(line, "receive"));
    put("receive_s", part_usec(line, "unmarshal"));
    // With --percentile no "Avg latency" is printed, and this is the mean that there is.
    put("latency_mean_s", user_time_);
  }
}

void PerfReportReader::server(std::string_view line) {
  if (const auto items = number_behind(line, "Inference count:")) inferences_ = items;
  if (const auto batches = number_behind(line, "Execution count:")) {
    if (inferences_ && *inferences_ > 0.0 && *batches > 0.0) block_.executed_batch = *inferences_ / *batches;
  }
  if (!line.starts_with("Avg request latency:")) return;
  double accounted = 0.0;
  constexpr std::array<std::pair<const char*, const char*>, 5> parts{{{"queue", "queue_s"},
                                                                      {"compute input", "compute_input_s"},
                                                                      {"compute infer", "compute_infer_s"},
                                                                      {"compute", "compute_infer_s"},
                                                                      {"compute output", "compute_output_s"}}};
  for (const auto& [text, name] : parts) {
    const auto time = part_usec(line, text);
    put(name, time);
    accounted += time.value_or(0.0);
  }
  // As perf_analyzer's own CSV has it: the wait for the response less what the server accounts for, at least zero.
  if (wait_ && block_.measured.contains("queue_s") && block_.measured.contains("compute_infer_s"))
    put("network_s", std::max(0.0, *wait_ - accounted));
}

}  // namespace saturn
