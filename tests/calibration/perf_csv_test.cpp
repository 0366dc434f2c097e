#include <doctest/doctest.h>

#include "tests/calibration/imported_server_file.hpp"

namespace saturn::tests::server_files {

namespace {

const std::string header =
    "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute Input,Server "
    "Compute "
    "Infer,Server Compute Output,Client Recv,p50 latency,p90 latency,p95 latency,p99 latency";

// 4 clients with requests of 8 items: 4 · 8 / 16 ms = 2,000 items/s.
const std::string four_clients = "4,2000,100,900,5000,300,9000,500,200,15800,17000,18000,21000";

}  // namespace

TEST_CASE("a plain perf_analyzer CSV gives its times in seconds and its batch by Little's law") {
  const std::string text = header + "\n" + four_clients + "\n";
  CHECK(recognised_as(text) == "perf_analyzer CSV");
  const MeasuredFile file = imported(text);
  REQUIRE(file.loads.size() == 1);
  const LoadPoint& point = file.loads[0];
  CHECK(point.at.line == 2);
  CHECK(*point.concurrency == 4.0);
  CHECK(point.items_per_s == 2000.0);
  CHECK(point.measured.at("latency_mean_s") == doctest::Approx(0.016));
  CHECK(point.measured.at("queue_s") == doctest::Approx(0.005));
  CHECK(point.measured.at("compute_infer_s") == doctest::Approx(0.009));
  CHECK(point.measured.at("latency_p99_s") == doctest::Approx(0.021));
  CHECK(*point.request_batch == 8.0);
  CHECK(point.batch_from == BatchOrigin::littles_law);
  CHECK(file.left_out.empty());
  CHECK(file.notes == std::vector<std::string>{
                          "The mean latency is the sum of its parts; there is no column \"Avg latency\".",
                          "Batch sizes follow from Little's law, items/s times mean latency over concurrency; the "
                          "file does not give them."});
}

TEST_CASE("a verbose CSV gives its mean latency and its GPUs, in any order of columns, with unknown ones") {
  const MeasuredFile file = imported(
      "Surprise,Avg GPU Power Usage,Avg latency,Inferences/Second,Concurrency,request/response,Avg GPU Utilization\r\n"
      "\r\n"
      "x,GPU-a:50;GPU-b:70.5;,20000,100,2,3,GPU-a:0.25;GPU-b:0.75;,\r\n");
  REQUIRE(file.loads.size() == 1);
  CHECK(file.loads[0].at.line == 3);
  CHECK(file.loads[0].measured ==
        std::map<std::string, double>{{"latency_mean_s", 0.02}, {"gpu_power_w", 120.5}, {"gpu_utilisation", 0.5}});
  CHECK(*file.loads[0].request_batch == 1.0);
  CHECK(file.left_out.empty());
}

TEST_CASE("the older column of the whole computation stands as the inference, and is part of the mean") {
  const MeasuredFile file = imported(
      "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute,Client Recv\n"
      "1,250,100,400,0,3400,100\n");
  REQUIRE(file.loads.size() == 1);
  CHECK(file.loads[0].measured.at("compute_infer_s") == doctest::Approx(0.0034));
  CHECK(file.loads[0].measured.at("latency_mean_s") == doctest::Approx(0.004));
  CHECK(*file.loads[0].request_batch == 1.0);
  CHECK(file.notes[1] ==
        "The column \"Server Compute\" holds input, inference and output together; it stands as compute_infer_s.");
}

TEST_CASE("no mean is summed from parts of which one cannot be read") {
  const MeasuredFile file = imported(header + "\n4,2000,100,900,5000,x,9000,500,200,15800,17000,18000,21000\n");
  CHECK_FALSE(file.loads.at(0).measured.contains("latency_mean_s"));
  CHECK_FALSE(file.loads[0].request_batch);
}

TEST_CASE("times of a response cache are part of the mean latency") {
  const MeasuredFile file = imported(
      "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute Input,Server "
      "Compute Infer,Server Compute Output,Server Cache Hit,Server Cache Miss,Client Recv\n"
      "1,1000,100,200,100,100,200,100,50,50,100\n");
  CHECK(file.loads.at(0).measured.at("latency_mean_s") == doctest::Approx(0.001));
}

TEST_CASE("a verbose CSV of a percentile gives the mean as exchange and wait") {
  const MeasuredFile file = imported(
      "Concurrency,Inferences/Second,Client Send,Client Recv,p95 latency,request/response,response wait\n"
      "3,600,100,200,26000,300,19700\n");
  CHECK(file.loads.at(0).measured.at("latency_mean_s") == doctest::Approx(0.02));
  CHECK(*file.loads[0].request_batch == 4.0);
}

TEST_CASE("a request rate is no concurrency, and leaves the batch unknown") {
  const MeasuredFile file = imported("Request Rate,Inferences/Second,p50 latency\n50,49.5,3000\n");
  REQUIRE(file.loads.size() == 1);
  CHECK_FALSE(file.loads[0].concurrency);
  CHECK(*file.loads[0].request_rate_per_s == 50.0);
  CHECK_FALSE(file.loads[0].request_batch);
  CHECK(file.loads[0].batch_from == BatchOrigin::unknown);
  CHECK(file.notes == std::vector<std::string>{
                          "The items of a request are not known (line 2): neither given, nor to be had from Little's "
                          "law, which needs the concurrency and the mean latency."});
}

TEST_CASE("files put behind each other stay apart") {
  const MeasuredFile file = imported(header + "\n" + four_clients + "\n" + header + "\n" + four_clients + "\n");
  REQUIRE(file.loads.size() == 2);
  CHECK(file.loads[0].configuration == "run 1");
  CHECK(file.loads[1].configuration == "run 2");
}

TEST_CASE("lines that cannot be used are left out one by one, with the reason") {
  const std::string text = header + "\n" + four_clients + "\n" +
                           "8,2100,100,900\n"
                           "0,2000,100,900,5000,300,9000,500,200,15800,17000,18000,21000\n"
                           "4,0,100,900,5000,300,9000,500,200,15800,17000,18000,21000\n"
                           "4,nan,100,900,5000,300,9000,500,200,15800,17000,18000,21000\n"
                           "4,2000,-100,900,5000,300,9000,500,200,15800,17000,18000,2100\n"
                           "\"4,2000,100\n";
  CHECK(
      complaints_about(text) ==
      "3 import.torn_line: The line is left out: it has 4 cells, its header 13; write the row anew or measure it "
      "again.\n"
      "4 import.unusable_line: The line is left out: Concurrency is \"0\"; there was no load.\n"
      "5 import.unusable_line: The line is left out: Inferences/Second is \"0\"; no inference ended while it was "
      "measured; measure longer.\n"
      "6 import.unusable_line: The line is left out: Inferences/Second is \"nan\"; it has to be a number above 0.\n"
      "7 import.bad_number: Client Send is \"-100\"; it has to be a number of at least 0. The value is left out.\n"
      "7 import.falling_percentiles: The percentiles of the latency are left out: a higher one is smaller than a lower "
      "one; look for digits that were lost.\n"
      "8 import.torn_line: The line is left out: a quote is not closed; write the row anew or measure it again.\n");
  CHECK(imported(text).loads.size() == 2);
}

TEST_CASE("columns cut away as \"...\" and a header without rows are refused with the reason") {
  CHECK(
      complaints_about("Concurrency,...,Avg GPU Utilization\n1,...,GPU-a:0.3;\n") ==
      "refused\n"
      "0 import.no_load_points: There is no row with a load and its throughput; a row reads \"4,84.2,...\" under "
      "\"Concurrency,Inferences/Second,...\".\n"
      "1 import.missing_column: The header has no column Inferences/Second; \"...\" stands for columns that were cut "
      "away: without the load and its throughput the rows say nothing. Give the file as perf_analyzer -f wrote it.\n");
  CHECK(complaints_about(header + "\n") ==
        "refused\n"
        "0 import.no_load_points: There is no row with a load and its throughput; a row reads \"4,84.2,...\" under "
        "\"Concurrency,Inferences/Second,...\".\n");
}

TEST_CASE("after a hundred complaints the rest is counted") {
  std::string text = header + "\n" + four_clients + "\n";
  for (int k = 0; k < 250; ++k) text += "torn\n";
  const MeasuredFile file = imported(text);
  REQUIRE(file.left_out.size() == 101);
  CHECK(file.left_out.back().text == "150 more complaints like these are not listed.");
}

}  // namespace saturn::tests::server_files
