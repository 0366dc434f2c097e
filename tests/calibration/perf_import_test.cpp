#include <doctest/doctest.h>

#include "tests/calibration/imported_files.hpp"

namespace saturn::tests::server_files {

namespace {

const std::string inferences =
    "Model,Batch,Concurrency,Model Config Path,Instance Group,Max Batch Size,Satisfies Constraints,Throughput "
    "(infer/sec),p99 Latency (ms),Avg Latency (ms)\n"
    "tagger,4,8,tagger_config_2,3:GPU,16,Yes,1600.0,25.5,20.0\n";

const std::string gpus =
    "Model,GPU UUID,Batch,Concurrency,Model Config Path,Instance Group,Satisfies Constraints,GPU Memory Usage (MB),GPU "
    "Utilization (%),GPU Power Usage (W)\n"
    "tagger,GPU-1,4,8,tagger_config_2,3:GPU,Yes,900,80,150.5\n"
    "tagger,GPU-2,4,8,tagger_config_2,3:GPU,Yes,900,40,100\n";

}  // namespace

TEST_CASE("an inference row gives its load, batch, instances and latencies in seconds") {
  CHECK(recognised_as(inferences) == "Model Analyzer CSV");
  const MeasuredFile file = imported(inferences);
  REQUIRE(file.loads.size() == 1);
  const LoadPoint& point = file.loads[0];
  CHECK(point.model == "tagger");
  CHECK(point.configuration == "tagger_config_2, 3:GPU");
  CHECK(*point.concurrency == 8.0);
  CHECK(*point.request_batch == 4.0);
  CHECK(point.batch_from == BatchOrigin::given);
  CHECK(*point.instances == 3.0);
  CHECK(point.items_per_s == 1600.0);
  CHECK(point.measured == std::map<std::string, double>{{"latency_p99_s", 25.5 * 1e-3}, {"latency_mean_s", 20 * 1e-3}});
  CHECK(file.notes.empty());
}

namespace {

/// What GenAI-Perf and AIPerf write beside the load's own keys; latencies in ms.
std::string genai_text(const std::string& input_config, const std::string& unit = "ms") {
  return R"({"request_throughput": {"unit": "requests/sec", "avg": 390.0}, "request_latency": {"unit": ")" + unit +
         R"(", "avg": 20, "min": 9, "max": 44, "std": 4, "p1": 10, "p50": 19, "p90": 26, "p95": 28, "p99": 33},
  "time_to_first_token": {"unit": "ms", "avg": 5}, "request_count": {"unit": "requests", "avg": 1600},
  "input_config": )" +
         input_config + "}";
}

}  // namespace

TEST_CASE("a report of AIPerf or GenAI-Perf gives its load, wherever its version keeps the concurrency") {
  for (const char* config : {R"({"model": ["llama"], "concurrency": 8, "request_rate": null})",
                             R"({"model_names": ["llama"], "perf_analyzer": {"stimulus": {"concurrency": 8}}})",
                             R"({"endpoint": {"model_names": ["llama"]}, "loadgen": {"concurrency": 8}})"}) {
    CAPTURE(config);
    CHECK(recognised_as(genai_text(config)) == "AIPerf or GenAI-Perf report");
    const MeasuredFile file = imported(genai_text(config));
    REQUIRE(file.loads.size() == 1);
    const LoadPoint& point = file.loads[0];
    CHECK(point.model == "llama");
    CHECK(*point.concurrency == 8.0);
    CHECK(point.batch_from == BatchOrigin::assumed);
    // Eight requests in flight for 20 ms each; 390/s are printed.
    CHECK(point.items_per_s == doctest::Approx(400.0));
    CHECK(*point.printed_per_s == 390.0);
    CHECK(point.measured.at("latency_p95_s") == doctest::Approx(0.028));
    CHECK(point.measured.at("latency_sem_s") == doctest::Approx(0.004 / 40.0));
    CHECK(file.left_out.empty());
  }
}

TEST_CASE("a report of an offered rate, of another unit, or without its load is read as such or refused") {
  const MeasuredFile open = imported(genai_text(R"({"model": "a", "concurrency": 64, "request_rate": 390})"));
  CHECK(*open.loads.at(0).request_rate_per_s == 390.0);
  CHECK(!open.loads[0].concurrency.has_value());
  CHECK(open.loads[0].items_per_s == 390.0);
  const MeasuredFile odd = imported(genai_text(R"({"model": "a", "concurrency": 8})", "fortnights"));
  CHECK(odd.loads.at(0).measured.empty());
  CHECK(left_out_lines(odd) == std::vector<std::string>{"1 import.unknown_unit"});
  CHECK(only_refusal(genai_text(R"({"model": "a"})")).find("import.no_load: The report does not say") !=
        std::string::npos);
}

namespace {

/// A line of AIPerf's records; dates in ms after some day.
std::string record(int begun_ms, int ended_ms, const std::string& rest = R"("error": null)") {
  const auto date = [](int ms) { return std::to_string(1'700'000'000'000 + ms) + "000000"; };
  return R"({"metadata": {"request_start_ns": )" + date(begun_ms) + R"(, "request_end_ns": )" + date(ended_ms) +
         R"(, "benchmark_phase": "profiling"}, "metrics": {"request_latency": {"value": )" +
         std::to_string(ended_ms - begun_ms) + R"(, "unit": "ms"}}, )" + rest + "}\n";
}

/// Four clients that begin 5 ms after each other and wait for answers of 20 ms: always four in flight, 200 a second.
std::string records_of_four_clients() {
  std::string text;
  for (int k = 0; k < 50; ++k)
    for (int client = 0; client < 4; ++client) text += record(5 * client + 20 * k, 5 * client + 20 * k + 20);
  return text;
}

}  // namespace

TEST_CASE("AIPerf's records tell how many requests were in flight, and the rate between ramp and drain") {
  CHECK(recognised_as(records_of_four_clients()) == "AIPerf request records");
  const MeasuredFile file = imported(records_of_four_clients());
  REQUIRE(file.loads.size() == 1);
  const LoadPoint& point = file.loads[0];
  CHECK(*point.concurrency == 4.0);
  CHECK(point.items_per_s == doctest::Approx(200.0));
  CHECK(*point.printed_per_s == doctest::Approx(200.0));
  for (const char* name : {"latency_mean_s", "latency_p50_s", "latency_p90_s"})
    CHECK(point.measured.at(name) == doctest::Approx(0.020));
  CHECK(point.measured.at("latency_sd_s") == doctest::Approx(0.0));
  CHECK(file.left_out.empty());
}

TEST_CASE(
    "of AIPerf's records failed requests occupy their place, and those of the warm-up and torn lines do not count") {
  std::string text = record(-60, -10, R"("error": null)");
  text.replace(text.find("profiling"), 9, "warmup");
  text += records_of_four_clients() + record(1000, 1020, R"("error": {"code": 500})") + R"({"metadata": {"requ)";
  const MeasuredFile file = imported(text);
  CHECK(*file.loads.at(0).concurrency == 4.0);
  CHECK(file.loads[0].items_per_s == doctest::Approx(200.0));
  CHECK(left_out_lines(file) == std::vector<std::string>{"203 import.torn_line"});
  CHECK(file.notes.at(0).ends_with(": 1."));
  CHECK(file.notes.at(1) == "Requests of the warm-up are left out: 1.");
}

TEST_CASE("requests that come by themselves are an offered rate, and too few of them are refused") {
  // Three at a time every 100 ms, answered after 60 ms: three in flight or none.
  std::string text;
  for (int k = 0; k < 40; ++k)
    for (int n = 0; n < 3; ++n) text += record(100 * k, 100 * k + 60);
  const LoadPoint point = imported(text).loads.at(0);
  CHECK(!point.concurrency.has_value());
  CHECK(*point.request_rate_per_s == doctest::Approx(30.0));
  CHECK(only_refusal(record(0, 20) + record(20, 40)).find("import.no_load_points: 1 request was answered") !=
        std::string::npos);
}

namespace {

std::string genai_csv(const std::string& latency, const std::string& throughput) {
  return "Metric,avg,min,max,p99,p95,p90,p75,p50,p25\nTime To First Token (ms),5,4,6,6,6,6,5,5,5\n" + latency +
         "\n\nMetric,Value\n" + throughput + "\nRequest Count (count),1600.00\nError Request Count,2.00\n" +
         "\nMetric,GPU,avg,min,max\nGPU Power Usage (W),0,75,70,80\n";
}

}  // namespace

TEST_CASE("a table of AIPerf or GenAI-Perf gives its load, with what was in flight by Little's law") {
  // 8 in flight: 4 a second for 2 s each.
  const std::string text =
      genai_csv(R"(Request Latency (ms),"2,000.00",900,"4,400.00","3,300.00","2,800.00","2,600.00",2200,1900,1500)",
                "Request Throughput (per sec),4.00");
  for (const std::string& one : {text, with_crlf(text)}) {
    CHECK(recognised_as(one) == "AIPerf or GenAI-Perf table");
    const MeasuredFile file = imported(one);
    const LoadPoint& point = file.loads.at(0);
    CHECK(*point.concurrency == 8.0);
    CHECK(point.items_per_s == doctest::Approx(4.0));
    CHECK(*point.requests == 1600.0);
    CHECK(point.measured.at("latency_mean_s") == doctest::Approx(2.0));
    CHECK(point.measured.at("latency_p99_s") == doctest::Approx(3.3));
    CHECK(file.left_out.empty());
    CHECK(file.notes.at(0).find("error") != std::string::npos);
    CHECK(file.notes.at(1).find("they were 8 on average") != std::string::npos);
  }
}

TEST_CASE("a table of AIPerf or GenAI-Perf that does not tell its load is refused with the way out") {
  const std::string latency = "Request Latency (ms),375,300,400,399,398,397,390,380,370";
  const std::string no_whole = only_refusal(genai_csv(latency, "Request Throughput (per sec),4.00"));
  CHECK(no_whole.find("import.no_load: ") != std::string::npos);
  CHECK(no_whole.find(", 1.5, ") != std::string::npos);
  CHECK(no_whole.find("JSON") != std::string::npos);
  CHECK(only_refusal(genai_csv("Inter Token Latency (ms),1,1,1,1,1,1,1,1,1", "Request Throughput (per sec),4.00"))
            .find("no mean of \"Request Latency\"") != std::string::npos);
  CHECK(only_refusal(genai_csv(latency, "Request Throughput (per sec),0.00")).find("import.no_load_points") !=
        std::string::npos);
}

TEST_CASE("GPU rows in the same text are joined to their measurement: mean utilisation, total power") {
  for (const std::string& text : {inferences + "\n" + gpus, gpus + "\n" + inferences}) {
    const MeasuredFile file = imported(text);
    REQUIRE(file.loads.size() == 1);
    CHECK(file.loads[0].measured.at("gpu_utilisation") == doctest::Approx(0.6));
    CHECK(file.loads[0].measured.at("gpu_power_w") == doctest::Approx(250.5));
    CHECK(file.left_out.empty());
  }
}

TEST_CASE("a row of several models is a point for each, an ensemble is one") {
  const MeasuredFile file = imported(
      "p99 Latency (ms),Throughput (infer/sec),Instance Group,Model Config Path,Request Rate,Batch,Model\n"
      "\"20.0, [30.0,10.0]\",\"500.0, "
      "[200.0,300.0]\",\"2:GPU,1:CPU\",\"a_config_1,b_config_0\",\"50,75\",\"4,4\",\"a,b\"\n"
      "5.0,90,\"1:GPU,2:GPU\",\"ens_config_1: x_config_0, y_config_1\",90,1,ens\n");
  REQUIRE(file.loads.size() == 3);
  CHECK(file.loads[0].model == "a");
  CHECK(*file.loads[0].request_rate_per_s == 50.0);
  CHECK(file.loads[0].items_per_s == 200.0);
  CHECK(*file.loads[0].instances == 2.0);
  CHECK(file.loads[1].model == "b");
  CHECK(file.loads[1].items_per_s == 300.0);
  CHECK(file.loads[1].measured.at("latency_p99_s") == doctest::Approx(0.01));
  CHECK(file.loads[1].configuration == file.loads[0].configuration);
  CHECK(file.loads[2].model == "ens");
  CHECK_FALSE(file.loads[2].instances);
  CHECK(file.loads[2].configuration == "ens_config_1: x_config_0, y_config_1, 1:GPU,2:GPU");
  CHECK(file.notes.size() == 2);
}

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

TEST_CASE("after a hundred complaints the rest is counted") {
  std::string text = header + "\n" + four_clients + "\n";
  for (int k = 0; k < 250; ++k) text += "torn\n";
  const MeasuredFile file = imported(text);
  REQUIRE(file.left_out.size() == 101);
  CHECK(file.left_out.back().text == "150 more complaints like these are not listed.");
}

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

}  // namespace saturn::tests::server_files
