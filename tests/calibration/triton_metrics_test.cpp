#include <doctest/doctest.h>

#include "tests/calibration/imported_server_file.hpp"

namespace saturn::tests::server_files {

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

TEST_CASE("a counter that nothing counts up to is left out") {
  const std::string whole = series("model=\"a\",version=\"1\"", 10, 80, 5, 2e6);
  for (const char* value : {"1e308", "1e16", "1e-308"})
    CHECK(complaints_about(whole + "nv_inference_count{model=\"b\",version=\"1\"} " + value + "\n") ==
          "6 import.torn_line: The line is left out: its value is \"" + std::string(value) +
              "\", not a number that is counted or measured (0, or 1e-15 to 1e15).\n");
}

TEST_CASE("a model with a gap in its series, a repeated counter and torn lines are left out") {
  const std::string whole = series("model=\"a\",version=\"1\"", 10, 80, 5, 2e6);
  CHECK(
      complaints_about(whole + "nv_inference_request_success{model=\"b\",version=\"1\"} 4\n") ==
      "6 import.incomplete_model: Model b is left out: nv_inference_count is missing for it or for one of its versions "
      "or GPUs; read the server's /metrics again.\n");
  CHECK(complaints_about(whole + "nv_inference_count{model=\"a\",version=\"1\"} 90\n") ==
        "6 import.repeated_counter: The line is left out: the same counter stands in line 2; give two dumps as two "
        "files, "
        "the earlier one first.\n");
  CHECK(complaints_about(whole + "nv_inference_count{model=\"b\",version=\"1} 9\n" +
                         "nv_inference_count{model=\"b\",version=\"1\"} -9\n" +
                         "nv_inference_count{model=\"b\"} +Inf\n" + "nv_inference_count{model=\"b\"} 1 x\n" +
                         "nv_inference_count 1\n" + "nv_inference_count{model=\"b\",version=\"1\"} 12") ==
        "6 import.torn_line: The line is left out: its labels have to read {model=\"a\",version=\"1\"}.\n"
        "7 import.bad_number: The line is left out: a counter cannot be negative.\n"
        "8 import.torn_line: The line is left out: its value is \"+Inf\", not a number that is counted or measured (0, "
        "or 1e-15 to "
        "1e15).\n"
        "9 import.torn_line: The line is left out: behind the value there is \"x\", which is no timestamp.\n"
        "10 import.no_model: The line is left out: it has no label \"model\".\n"
        "11 import.torn_line: The line is left out: no line end follows, so that digits may be missing; a whole dump "
        "ends "
        "with one.\n");
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

TEST_CASE("an idle server and GPU gauges alone are refused with the way out") {
  const std::string refusal =
      "refused\n0 import.no_counters: There is no model with its counters of requests, inferences and executions above "
      "0. "
      "Save what the server answers at /metrics, port 8002, after it has answered requests: curl "
      "server:8002/metrics.\n";
  CHECK(complaints_about("nv_gpu_utilization{gpu_uuid=\"1\"} 0.5\n") == refusal);
  CHECK(complaints_about(series("model=\"a\"", 0, 0, 0, 0)) == refusal);
}

}  // namespace saturn::tests::server_files
