#include <doctest/doctest.h>

#include "tests/calibration/imported_server_file.hpp"

namespace saturn::tests::server_files {

TEST_CASE("the four perf_client lines of the ProtoDUNE slides give batches of 1,950 to 2,015") {
  // Source  ProtoDUNE slides: concurrency 20, inferences/s and latencies in µs; repeated measurements of one load.
  const std::string text =
      "Concurrency: 20, 15933 infer/sec, latency 2476755 usec\n"
      "Concurrency: 20, 25333 infer/sec, latency 1538820 usec\n"
      "Inferences/Second vs. Client Average Batch Latency\n"
      "Concurrency: 20, 17133 infer/sec, latency 2352441 usec\n"
      "Inferences/Second vs. Client Average Batch Latency\n"
      "Concurrency: 20, 26666 infer/sec, latency 1491572 usec\n";
  CHECK(recognised_as(text) == "perf_analyzer terminal output");
  const MeasuredFile file = imported(text);
  REQUIRE(file.loads.size() == 4);
  const std::vector<double> batches{1973.0, 1949.0, 2015.0, 1989.0};
  for (std::size_t k = 0; k < batches.size(); ++k) {
    CHECK(*file.loads[k].request_batch == batches[k]);
    CHECK(file.loads[k].batch_from == BatchOrigin::littles_law);
    CHECK(*file.loads[k].concurrency == 20.0);
    CHECK(file.loads[k].configuration.empty());
  }
}

TEST_CASE("a run takes model, batch and percentile from its command, and details from the block of the same load") {
  const MeasuredFile file = imported(
      "# perf_analyzer -m <model name> -b <batch size>\n"
      "$ perf_analyzer -m tagger -b 4 \\\n"
      "    --concurrency-range 1:2 --percentile=95\n"
      "Request concurrency: 2\n"
      "  Client: \n"
      "    Request count: 500\n"
      "    Throughput: 400 infer/sec\n"
      "    p50 latency: 19000 usec\n"
      "    p95 latency: 24000 usec\n"
      "    Avg HTTP time: 20000 usec (send 100 usec + response wait 19700 usec + receive 200 usec)\n"
      "  Server: \n"
      "    Inference count: 2400\n"
      "    Execution count: 400\n"
      "    Successful request count: 600\n"
      "    Avg request latency: 17000 usec (overhead 200 usec + queue 9000 usec + compute input 300 usec + compute "
      "infer "
      "7000 usec + compute output 500 usec)\n"
      "  Composing models: \n"
      "  other, version: 1\n"
      "      Inference count: 7\n"
      "      Execution count: 7\n"
      "      Avg request latency: 1 usec (overhead 0 usec + queue 1 usec + compute 0 usec)\n"
      "Inferences/Second vs. Client p95 Batch Latency\n"
      "Concurrency: 1, throughput: 250 infer/sec, latency 17000 usec\n"
      "Concurrency: 2, throughput: 400 infer/sec, latency 24000 usec\n");
  REQUIRE(file.loads.size() == 2);
  const LoadPoint& one = file.loads[0];
  CHECK(one.model == "tagger");
  CHECK(*one.request_batch == 4.0);
  CHECK(one.batch_from == BatchOrigin::given);
  CHECK(one.measured == std::map<std::string, double>{{"latency_p95_s", 17000 * 1e-6}});
  const LoadPoint& two = file.loads[1];
  CHECK(*two.requests == 500.0);
  CHECK(*two.executed_batch == 6.0);
  CHECK(two.measured.at("latency_mean_s") == doctest::Approx(0.02));
  CHECK(two.measured.at("send_s") == doctest::Approx(1e-4));
  CHECK(two.measured.at("receive_s") == doctest::Approx(2e-4));
  CHECK(two.measured.at("queue_s") == doctest::Approx(0.009));
  CHECK(two.measured.at("compute_infer_s") == doctest::Approx(0.007));
  CHECK(two.measured.at("compute_output_s") == doctest::Approx(0.0005));
  // 19,700 µs of waiting less the 16,800 µs that the server accounts for.
  CHECK(two.measured.at("network_s") == doctest::Approx(0.0029));
  CHECK(file.notes.empty());
}

TEST_CASE("runs after each other are different servers and stay apart") {
  const std::string run =
      "perf_analyzer -m tagger -b 1\n"
      "Concurrency: 1, throughput: 100 infer/sec, latency 10000 usec\n"
      "Concurrency: 2, throughput: 100 infer/sec, latency 20000 usec\n";
  const MeasuredFile file = imported(run + run);
  REQUIRE(file.loads.size() == 4);
  CHECK(file.loads[1].configuration == "run 1");
  CHECK(file.loads[2].configuration == "run 2");
  const std::string sweep = run.substr(run.find('\n') + 1);
  const std::string heading = "Inferences/Second vs. Client Average Batch Latency\n";
  CHECK(imported(heading + sweep + heading + sweep).loads.at(3).configuration == "run 2");
}

TEST_CASE("a block without its summary line is a point of its own") {
  const MeasuredFile file = imported(
      "*** Measurement Settings ***\n"
      "  Batch size: 2\n"
      "Request Rate: 12.5 inference requests per seconds\n"
      "  * Client:\n"
      "    * Request count: 75\n"
      "    * Throughput: 25 infer/sec\n"
      "    * Avg latency: 30000 usec (standard deviation 4000 usec)\n");
  REQUIRE(file.loads.size() == 1);
  CHECK(*file.loads[0].request_rate_per_s == 12.5);
  CHECK_FALSE(file.loads[0].concurrency);
  CHECK(*file.loads[0].request_batch == 2.0);
  CHECK(file.loads[0].measured.at("latency_mean_s") == doctest::Approx(0.03));
  CHECK(file.loads[0].measured.at("latency_sd_s") == doctest::Approx(0.004));
}

TEST_CASE("a load that was measured twice takes the details of the same throughput") {
  const std::string block = "Request concurrency: 2\n  Client: \n    Request count: ";
  const MeasuredFile file = imported(block + "500\n    Throughput: 400 infer/sec\n" + block +
                                     "600\n    Throughput: 410.5 infer/sec\n"
                                     "Concurrency: 2, throughput: 410.5 infer/sec, latency 4872 usec\n"
                                     "Concurrency: 2, throughput: 400 infer/sec, latency 5000 usec\n");
  REQUIRE(file.loads.size() == 2);
  CHECK(*file.loads[0].requests == 600.0);
  CHECK(*file.loads[1].requests == 500.0);
}

TEST_CASE("an older percentile heading is understood, and one that is not used is named") {
  const MeasuredFile file = imported(
      "Inferences/Second vs. Client 99-th Percentile Batch Latency\n"
      "Concurrency: 3, 60 infer/sec, latency 70000 usec\n");
  CHECK(file.loads.at(0).measured.contains("latency_p99_s"));
  CHECK_FALSE(file.loads[0].request_batch);
  const MeasuredFile odd =
      imported("Inferences/Second vs. Client p80 Batch Latency\nConcurrency: 3, 60 infer/sec, latency 70000 usec\n");
  CHECK(odd.loads.at(0).measured.empty());
  CHECK(odd.notes.at(0) ==
        "The printed latencies are the 80th percentile, which is not used; those used are 50, 90, 95 and 99.");
}

TEST_CASE("torn summary lines are left out, and nothing else is refused") {
  CHECK(
      complaints_about("Concurrency: 1, throughput: 10 infer/sec, latency 100000 usec\n"
                       "Concurrency: 2, throughput: 10 infer/sec, laten") ==
      "2 import.torn_line: The line is left out: it has to read \"Concurrency: 4, throughput: 84.2 infer/sec, latency "
      "47045 usec\" with numbers above 0.\n");
  CHECK(
      complaints_about("Request concurrency: 4\n  Client:\n") ==
      "refused\n"
      "0 import.no_load_points: There is no line with a load and its throughput, such as \"Concurrency: 4, throughput: "
      "84.2 infer/sec, latency 47045 usec\".\n");
}

}  // namespace saturn::tests::server_files
