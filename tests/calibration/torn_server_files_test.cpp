#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

#include "calibration/import/counter_difference.hpp"
#include "tests/calibration/imported_server_file.hpp"

namespace saturn::tests::server_files {

namespace {

const std::vector<std::string>& whole_files() {
  static const std::vector<std::string> files{
      "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute Input,Server "
      "Compute Infer,Server Compute Output,Client Recv,p50 latency,p99 latency,Avg GPU Utilization,Avg GPU Power "
      "Usage\n"
      "1,95.5,120,900,60,200,9000,15,5,10100,13000,GPU-a:0.5;GPU-b:0.4;,GPU-a:55;GPU-b:60;\n"
      "2,180,120,900,700,200,9000,15,5,10900,14000,GPU-a:0.9;GPU-b:0.8;,GPU-a:95;GPU-b:90;\n",
      "$ perf_analyzer -m tagger -b 2 --percentile=95\n"
      "Request concurrency: 2\n  Client: \n    Request count: 500\n    Throughput: 200 infer/sec\n"
      "    p95 latency: 24000 usec\n"
      "    Avg gRPC time: 20000 usec (marshal 100 usec + response wait 19700 usec + unmarshal 200 usec)\n"
      "  Server: \n    Inference count: 2400\n    Execution count: 400\n"
      "    Avg request latency: 17000 usec (overhead 200 usec + queue 9000 usec + compute 7800 usec)\n"
      "Inferences/Second vs. Client p95 Batch Latency\n"
      "Concurrency: 2, throughput: 200 infer/sec, latency 24000 usec\n",
      "{\"experiments\":[{\"experiment\":{\"mode\":\"request_rate\",\"value\":2.5},\"requests\":["
      "{\"timestamp\":10,\"response_timestamps\":[20]},{\"timestamp\":11,\"response_timestamps\":[21,25]}],"
      "\"window_boundaries\":[1,50,60]}],\"version\":\"1\",\"service_kind\":\"triton\"}",
      "Model,Batch,Concurrency,Model Config Path,Instance Group,Throughput (infer/sec),p99 Latency (ms)\n"
      "\"a,b\",\"1,2\",\"4,4\",\"a_config_1,b_config_0\",\"2:GPU,1:GPU\",\"421.0, [184.5,236.5]\",\"20.7, "
      "[23.9,17.4]\"\n"
      "a,1,8,a_config_1,2:GPU,300.5,31.2\n"
      "Model,GPU UUID,Batch,Concurrency,Model Config Path,Instance Group,GPU Utilization (%),GPU Power Usage (W)\n"
      "a,GPU-1,1,8,a_config_1,2:GPU,88.1,170.2\n",
      "nv_inference_request_success{model=\"a\",version=\"1\"} 1208.000000 1700000000000\n"
      "nv_inference_count{model=\"a\",version=\"1\"} 2416.000000\n"
      "nv_inference_exec_count{model=\"a\",version=\"1\"} 302\n"
      "nv_inference_request_duration_us{model=\"a\",version=\"1\"} 3.5e+07\n"
      "nv_inference_compute_infer_duration_us{model=\"a\",version=\"1\"} 30000000\n"
      "nv_gpu_utilization{gpu_uuid=\"GPU-1\"} 0.5\n"};
  return files;
}

std::string damaged(std::string text) {
  const int blows = *rc::gen::inRange(1, 5);
  for (int k = 0; k < blows && !text.empty(); ++k) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto length = *rc::gen::inRange<std::size_t>(0, 12);
    const std::string with = *rc::gen::element<std::string>(
        "", "", "-", "e308", "nan", "inf", "1e-320", "9999999999999999999999", "\"", ",", "\n", "\r\n", "{", "}", "[",
        "]", ":", ";", "\\", std::string(1, '\0'), "\xff", " ", "0", "null");
    text.replace(at, length, with);
  }
  return text;
}

void is_sane(double value) {
  RC_ASSERT(std::isfinite(value));
  RC_ASSERT(value >= 0.0);
}

void is_positive(const std::optional<double>& value) {
  RC_ASSERT(!value || (std::isfinite(*value) && *value > 0.0));
}

void is_sane(const LoadPoint& point) {
  is_positive(point.items_per_s);
  is_positive(point.concurrency);
  is_positive(point.request_rate_per_s);
  RC_ASSERT(point.concurrency.has_value() != point.request_rate_per_s.has_value());
  is_positive(point.request_batch);
  is_positive(point.executed_batch);
  is_positive(point.instances);
  if (point.requests) is_sane(*point.requests);
  for (const auto& [name, value] : point.measured) is_sane(value);
}

void is_sane(const ServerCounters& counters) {
  is_positive(counters.requests);
  is_sane(counters.failures);
  is_sane(counters.items);
  is_sane(counters.executions);
  RC_ASSERT(counters.ensemble || (counters.items > 0.0 && counters.executions > 0.0));
  for (const auto& [name, value] : counters.sums_s) is_sane(value);
  is_positive(counters.elapsed_s);
}

// Anything but sane figures or a refusal with its reasons leaves as a failed property.
std::optional<MeasuredFile> read_or_refused(const ImportFormat& format, const std::string& text) {
  MeasuredFile file{.path = "m.txt"};
  try {
    format.read(text, "m.txt", file);
  } catch (const InputError& error) {
    RC_ASSERT(!error.complaints().empty());
    RC_ASSERT(!error.complaints()[0].text.empty());
    return std::nullopt;
  }
  RC_ASSERT(!file.loads.empty() || !file.counters.empty());
  for (const LoadPoint& point : file.loads) is_sane(point);
  for (const ServerCounters& counters : file.counters) is_sane(counters);
  return file;
}

}  // namespace

TEST_CASE("every prefix of a file is read sanely or refused") {
  for (const std::string& text : whole_files()) {
    for (std::size_t length = 0; length <= text.size(); ++length) {
      const std::string prefix = text.substr(0, length);
      for (const ImportFormat& format : server_formats())
        if (format.recognises(prefix)) read_or_refused(format, prefix);
    }
  }
}

TEST_CASE("a damaged file is read sanely or refused, by every reader") {
  CHECK(rc::check("damaged files", [] {
    const std::string text = damaged(*rc::gen::elementOf(whole_files()));
    for (const ImportFormat& format : server_formats()) {
      format.recognises(text);
      read_or_refused(format, text);
    }
  }));
}

TEST_CASE("the difference of damaged readings is sane or refused") {
  CHECK(rc::check("damaged readings", [] {
    const std::string& text = whole_files().back();
    std::optional<MeasuredFile> read[2];
    for (auto& file : read)
      for (const ImportFormat& format : server_formats())
        if (format.recognises(text)) file = read_or_refused(format, damaged(text));
    if (!read[0] || !read[1]) return;
    try {
      const MeasuredFile between = difference(*read[0], *read[1]);
      for (const ServerCounters& counters : between.counters) is_sane(counters);
    } catch (const InputError& error) {
      RC_ASSERT(!error.complaints().empty());
    }
  }));
}

TEST_CASE("each whole file is recognised by one reader") {
  for (const std::string& text : whole_files()) CHECK(recognised_as(text).find(',') == std::string::npos);
  for (const char* other : {"", "\n", "{}", "a,b\n1,2\n", "PING host\n64 bytes: time=11 ms",
                            "clients,event_time_s\n1,2\n", "{\"start\":{\"test_start\":{}},\"intervals\":[]}"})
    CHECK(recognised_as(other).empty());
}

}  // namespace saturn::tests::server_files
