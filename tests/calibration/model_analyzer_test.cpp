#include <doctest/doctest.h>

#include "tests/calibration/imported_server_file.hpp"

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

TEST_CASE("GPU rows in the same text are joined to their measurement: mean utilisation, total power") {
  for (const std::string& text : {inferences + "\n" + gpus, gpus + "\n" + inferences}) {
    const MeasuredFile file = imported(text);
    REQUIRE(file.loads.size() == 1);
    CHECK(file.loads[0].measured.at("gpu_utilisation") == doctest::Approx(0.6));
    CHECK(file.loads[0].measured.at("gpu_power_w") == doctest::Approx(250.5));
    CHECK(file.left_out.empty());
  }
}

TEST_CASE("GPU rows that cannot be assigned are left out") {
  const std::string repeated = inferences + "tagger,4,8,tagger_config_2,3:GPU,16,Yes,1500.0,27.5,21.3\n" + gpus;
  CHECK(complaints_about(repeated) ==
        "5 import.gpu_ambiguous: The GPU figures are left out: this measurement stands here more than once, and which "
        "row "
        "belongs to which cannot be told.\n");
  CHECK(complaints_about(inferences + gpus.substr(0, gpus.find('\n') + 1) +
                         "tagger,GPU-1,4,16,tagger_config_2,3:GPU,Yes,900,80,150.5\n") ==
        "4 import.gpu_without_load: The GPU figures are left out: no inference row of this file has the same model, "
        "batch, load, configuration and instances.\n");
}

TEST_CASE("GPU figures alone and an idle server are refused") {
  CHECK(complaints_about(gpus) ==
        "refused\n"
        "0 import.no_load_points: The file holds GPU figures without throughputs; give metrics-model-inference.csv, or "
        "both files put behind each other as one, so that the rows can be joined.\n");
  CHECK(
      complaints_about("Model,GPU UUID,GPU Memory Usage (MB),GPU Utilization (%)\ntriton-server,GPU-1,800,0\n") ==
      "refused\n"
      "0 import.no_load_points: There is no row with a load and its throughput, under a header with Model, Concurrency "
      "and Throughput (infer/sec).\n"
      "1 import.missing_column: The rows are of an idle server: the header has neither a load nor a throughput. Give "
      "metrics-model-inference.csv.\n");
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

TEST_CASE("a list with too few figures leaves its line out") {
  CHECK(complaints_about("Model,Concurrency,Throughput (infer/sec)\n"
                         "\"a,b\",\"1,1\",\"500.0, [200.0]\"\n"
                         "\"a,b\",\"1,1\",\"500.0, [200.0,0]\"\n"
                         "a,1,100\n") ==
        "2 import.unusable_line: The line is left out: Throughput (infer/sec) is \"500.0, [200.0]\"; it has to be 2 "
        "numbers, one for each of the models.\n"
        "3 import.unusable_line: The line is left out: Throughput (infer/sec) is \"500.0, [200.0,0]\"; it has to be "
        "above "
        "0.\n");
}

}  // namespace saturn::tests::server_files
