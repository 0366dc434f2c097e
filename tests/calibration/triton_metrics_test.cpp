#include <doctest/doctest.h>

#include <limits>

#include "calibration/import/read_measured_file.hpp"
#include "tests/calibration/imported_files.hpp"

namespace saturn::tests::server_files {

namespace {

ServerCounters counters(const std::string& model, double requests, double read_at_s) {
  return {.at = {"m.prom", 3},
          .model = model,
          .requests = requests,
          .failures = 1.0,
          .items = 8 * requests,
          .executions = requests / 2,
          .sums_s = {{"queue_s", 0.5 * requests}, {"compute_infer_s", 0.25 * requests}},
          .read_at_s = read_at_s};
}

MeasuredFile reading(const std::string& path, const std::vector<ServerCounters>& of) {
  return {.path = path, .format = "Triton metrics", .sha256 = path + " hash", .counters = of};
}

std::string refusal(const MeasuredFile& earlier, const MeasuredFile& later) {
  try {
    difference(earlier, later);
    return "";
  } catch (const InputError& error) {
    return listed_complaints(error.complaints());
  }
}

}  // namespace

namespace {

/// A model's counters after so many requests of one item, a batch each.
std::string series(const std::string& model, int requests, const std::string& labels = "version=\"1\"") {
  std::string text;
  for (const char* name : {"nv_inference_request_success", "nv_inference_count", "nv_inference_exec_count"})
    text += std::string(name) + "{model=\"" + model + "\"," + labels + "} " + std::to_string(requests) + "\n";
  return text;
}

std::string summary(double p50_us, double p99_us, const std::string& labels = "version=\"1\"") {
  const auto line = [&](const char* quantile, double value) {
    return "nv_inference_request_summary_us{model=\"a\"," + labels + ",quantile=\"" + quantile + "\"} " +
           std::to_string(value) + "\n";
  };
  return "# TYPE nv_inference_request_summary_us summary\nnv_inference_request_summary_us_count{model=\"a\"," + labels +
         "} 100\n" + line("0.5", p50_us) + line("0.9", p50_us) + line("0.99", p99_us);
}

std::string buckets(int within_100_ms, int within_500_ms, int all) {
  const auto line = [](const char* edge, int count) {
    return "nv_inference_first_response_histogram_ms_bucket{model=\"a\",version=\"1\",le=\"" + std::string(edge) +
           "\"} " + std::to_string(count) + "\n";
  };
  return line("100", within_100_ms) + line("500", within_500_ms) + line("+Inf", all);
}

}  // namespace

TEST_CASE("a summary gives the median and high quantiles of requests, in seconds") {
  const MeasuredFile file = imported(series("a", 100) + summary(5200, 96000));
  CHECK(file.counters.at(0).quantiles_s ==
        std::map<double, double>{{0.5, 5200 * microsecond}, {0.99, 96000 * microsecond}});
  CHECK(file.left_out.empty());
}

TEST_CASE("quantiles of several versions, falling ones and shares above 1 are left out with the reason") {
  const std::string second = "version=\"2\"";
  const MeasuredFile versions =
      imported(series("a", 100) + series("a", 100, second) + summary(5200, 96000) + summary(5300, 97000, second));
  CHECK(versions.counters.at(0).quantiles_s.empty());
  CHECK(listed_complaints(versions.left_out).find("several versions or GPUs") != std::string::npos);
  const MeasuredFile falling = imported(series("a", 100) + summary(5200, 5000));
  CHECK(falling.counters.at(0).quantiles_s.empty());
  CHECK(listed_complaints(falling.left_out).find("smaller than a lower one") != std::string::npos);
  const MeasuredFile odd =
      imported(series("a", 100) + "nv_inference_request_summary_us{model=\"a\",version=\"1\",quantile=\"99\"} 5\n");
  CHECK(left_out_lines(odd) == std::vector<std::string>{"4 import.bad_number"});
}

TEST_CASE("a histogram counts requests by the edge of their bucket, between two readings those in between") {
  const double beyond = std::numeric_limits<double>::infinity();
  const MeasuredFile first = imported(series("a", 100) + buckets(60, 90, 100));
  CHECK(first.counters.at(0).first_response == std::map<double, double>{{0.1, 60}, {0.5, 90}, {beyond, 100}});
  const MeasuredFile later = imported(series("a", 300) + buckets(160, 280, 300));
  CHECK(difference(first, later).counters.at(0).first_response ==
        std::map<double, double>{{0.1, 100}, {0.5, 190}, {beyond, 200}});
  const MeasuredFile falling = imported(series("a", 100) + buckets(60, 50, 100));
  CHECK(falling.counters.at(0).first_response.empty());
  CHECK(listed_complaints(falling.left_out).find("counts fewer requests") != std::string::npos);
}

TEST_CASE("two readings give what happened in between, and how long that was") {
  const MeasuredFile file = difference(reading("1.prom", {counters("a", 100, 1000), counters("b", 7, 1000)}),
                                       reading("2.prom", {counters("b", 7, 1060), counters("a", 160, 1060)}));
  CHECK(file.path == "2.prom");
  CHECK(file.sha256 == "2.prom hash");
  REQUIRE(file.counters.size() == 1);
  const ServerCounters& a = file.counters[0];
  CHECK(a.model == "a");
  CHECK(a.requests == 60.0);
  CHECK(a.failures == 0.0);
  CHECK(a.items == 480.0);
  CHECK(a.executions == 30.0);
  CHECK(a.sums_s == std::map<std::string, double>{{"queue_s", 30.0}, {"compute_infer_s", 15.0}});
  CHECK(*a.elapsed_s == 60.0);
  CHECK(listed_complaints(file.left_out) ==
        "3 import.no_difference: Model b is left out: it answered no request after 1.prom was read; read the counters "
        "under load.\n");
}

TEST_CASE("counters that fell are refused, as after a restart or in the wrong order") {
  const std::string nothing = "0 import.no_difference: Nothing can be said about the time between 1.prom and 2.prom.\n";
  CHECK(refusal(reading("1.prom", {counters("a", 100, 1000)}), reading("2.prom", {counters("a", 99, 2000)})) ==
        nothing +
            "3 import.no_difference: Model a is left out: its counters fell after 1.prom; the server was started "
            "anew in between, or the files are in the wrong order.\n");
  CHECK(refusal(reading("1.prom", {counters("a", 100, 1000)}), reading("2.prom", {counters("a", 101, 900)})) ==
        nothing +
            "3 import.no_difference: Model a is left out: its counters were not read later than those of 1.prom; "
            "give the earlier file first.\n");
  CHECK(refusal(reading("1.prom", {counters("a", 100, 1000)}), reading("2.prom", {})) ==
        nothing +
            "0 import.no_difference: Model a is left out: it stands in 1.prom but not here; it was unloaded, or "
            "lines are missing.\n");
}

TEST_CASE("a model that is new counts from zero, unless the earlier file misses lines") {
  MeasuredFile earlier = reading("1.prom", {counters("a", 100, 1000)});
  const MeasuredFile later = reading("2.prom", {counters("a", 110, 1005), counters("b", 4, 1005)});
  const MeasuredFile file = difference(earlier, later);
  REQUIRE(file.counters.size() == 2);
  CHECK(file.counters[1].requests == 4.0);
  CHECK(*file.counters[1].elapsed_s == 5.0);
  CHECK(file.notes ==
        std::vector<std::string>{"Model b had answered no request when 1.prom was read; it counts from zero."});
  earlier.left_out.push_back({.source = "1.prom"});
  CHECK(difference(earlier, later).counters.size() == 1);
}

TEST_CASE("times that only one reading has are not subtracted, and an ensemble stays one") {
  ServerCounters before = counters("a", 100, 1000);
  before.sums_s.erase("queue_s");
  ServerCounters after = counters("a", 110, 1010);
  after.ensemble = true;
  const MeasuredFile file = difference(reading("1.prom", {before}), reading("2.prom", {after}));
  REQUIRE(file.counters.size() == 1);
  CHECK(file.counters[0].sums_s == std::map<std::string, double>{{"compute_infer_s", 2.5}});
  CHECK(file.counters[0].ensemble);
}

namespace {

std::string series(const std::string& labels, double requests, double items, double batches, double infer_us) {
  const auto line = [&](const std::string& name, double value) {
    return name + "{" + labels + "} " + std::to_string(value) + "\n";
  };
  return line("nv_inference_request_success", requests) + line("nv_inference_count", items) +
         line("nv_inference_exec_count", batches) + line("nv_inference_queue_duration_us", 100 * requests) +
         line("nv_inference_compute_infer_duration_us", infer_us);
}

}  // namespace

TEST_CASE("counters are summed over versions and GPUs, times are in seconds") {
  const std::string text = "# HELP nv_inference_count Number of inferences\n" +
                           series("gpu_uuid=\"GPU-1\",model=\"a\",version=\"1\"", 10, 80, 5, 2e6) +
                           series("gpu_uuid=\"GPU-2\",model=\"a\",version=\"1\"", 30, 240, 15, 6e6) +
                           series("gpu_uuid=\"GPU-2\",model=\"a\",version=\"2\"", 2, 16, 1, 1e6);
  CHECK(recognised_as(text) == "Triton metrics");
  const MeasuredFile file = imported(text);
  REQUIRE(file.counters.size() == 1);
  CHECK(file.counters[0].model == "a");
  CHECK(file.counters[0].requests == 42.0);
  CHECK(file.counters[0].items == 336.0);
  CHECK(file.counters[0].executions == 21.0);
  CHECK(file.counters[0].sums_s.at("queue_s") == doctest::Approx(0.0042));
  CHECK(file.counters[0].sums_s.at("compute_infer_s") == doctest::Approx(9.0));
  CHECK_FALSE(file.counters[0].ensemble);
}

TEST_CASE("escapes, timestamps, exponents, reasons of failures and foreign metrics are understood") {
  const MeasuredFile file = imported(
      "nv_inference_request_success {model=\"a \\\"b\\\" \\\\c\",version=\"1\",} 1e+06 1700000000500\n"
      "nv_inference_request_failure{model=\"a \\\"b\\\" \\\\c\",reason=\"OTHER\",version=\"1\"} 2\n"
      "nv_inference_request_failure{model=\"a \\\"b\\\" \\\\c\",reason=\"BACKEND\",version=\"1\"} 3\n"
      "nv_inference_count{model=\"a \\\"b\\\" \\\\c\",version=\"1\"} 4000000\r\n"
      "nv_inference_exec_count{model=\"a \\\"b\\\" \\\\c\",version=\"1\"} 1000000\n"
      "nv_inference_request_summary_us{model=\"a\",quantile=\"0.5\"} NaN\n"
      "some_other_metric garbage\n");
  REQUIRE(file.counters.size() == 1);
  CHECK(file.counters[0].model == "a \"b\" \\c");
  CHECK(file.counters[0].requests == 1e6);
  CHECK(file.counters[0].failures == 5.0);
  CHECK(*file.counters[0].read_at_s == 1700000000.5);
  CHECK(file.left_out.empty());
}

TEST_CASE("ensembles are named and kept: no batch, no compute time, no GPU, or the sum of their steps") {
  const auto ensemble_because = [](const std::string& ensemble, const std::string& gpu) {
    const MeasuredFile file = imported(series("model=\"a\",version=\"1\"" + gpu, 10, 10, 10, 2e6) +
                                       series("model=\"b\",version=\"1\"" + gpu, 10, 10, 10, 3e6) + ensemble);
    REQUIRE(file.counters.size() == 3);
    CHECK(file.counters[2].ensemble);
    CHECK(file.counters[2].requests == 10.0);
    CHECK_FALSE(file.counters[0].ensemble);
    CHECK_FALSE(file.counters[1].ensemble);
    REQUIRE(file.notes.size() == 1);
    const std::string begin = "e is taken for an ensemble, and no service law follows from it: ";
    REQUIRE(file.notes[0].starts_with(begin));
    return file.notes[0].substr(begin.size());
  };
  CHECK(ensemble_because(series("model=\"e\",version=\"1\"", 10, 0, 0, 0), "") == "it executed no batch of its own.");
  CHECK(ensemble_because(series("model=\"e\",version=\"1\"", 10, 10, 10, 0), "") ==
        "it has no compute time of its own.");
  CHECK(ensemble_because(series("model=\"e\",version=\"1\"", 10, 10, 10, 9e6), ",gpu_uuid=\"G\"") ==
        "it names no GPU, while other models do: an ensemble, or a model on CPUs.");
  CHECK(ensemble_because(series("model=\"e\",version=\"1\"", 10, 10, 10, 5e6 + 3), "") ==
        "its compute times are the sum of those of a, b.");
}

TEST_CASE("a time that one GPU lacks is not a sum of all, and goes") {
  const std::string text = series("gpu_uuid=\"1\",model=\"a\"", 10, 80, 5, 2e6) +
                           "nv_inference_request_success{gpu_uuid=\"2\",model=\"a\"} 1\n"
                           "nv_inference_count{gpu_uuid=\"2\",model=\"a\"} 1\n"
                           "nv_inference_exec_count{gpu_uuid=\"2\",model=\"a\"} 1\n"
                           "nv_inference_queue_duration_us{gpu_uuid=\"2\",model=\"a\"} 1\n";
  CHECK(imported(text).counters.at(0).sums_s.contains("queue_s"));
  CHECK_FALSE(imported(text).counters.at(0).sums_s.contains("compute_infer_s"));
  CHECK(
      complaints_about(text) ==
      "1 import.incomplete_model: Model a: nv_inference_compute_infer_duration_us is left out; one of its versions or "
      "GPUs does not have it. Read the server's /metrics again.\n");
}

}  // namespace saturn::tests::server_files
