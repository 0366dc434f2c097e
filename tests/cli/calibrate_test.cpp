#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using Json = nlohmann::json;

namespace {

const std::string examples = std::string(SATURN_SOURCE_DIR) + "/calibration/examples/";

Json fitted(const std::string& arguments, const std::string& folder = "") {
  return json_answer("calibrate " + arguments, folder);
}

}  // namespace

TEST_CASE("perf_client's four lines exclude the 270 jobs that four GPUs carried, and the big-batch rows include them") {
  const Json file = fitted(examples + "protodune_perf_client.txt " + examples +
                           "protodune_big_batch.csv --scenario protodune-big-batch");
  const Json& saturation = file.at("saturation");
  REQUIRE(saturation.size() == 2);
  const Json& lines = saturation.at(0).at("jobs");
  const Json& rows = saturation.at(1).at("jobs");
  CHECK(lines.at("high").get<double>() < 270.0);
  CHECK(rows.at("low").get<double>() < 270.0);
  CHECK(rows.at("high").get<double>() > 270.0);
  // Rates of equal runs average: 55,000 items at the mean of the four rates.
  CHECK(saturation.at(0).at("device_time_s").at("mean").get<double>() ==
        doctest::Approx(55000.0 / ((15933.0 + 25333.0 + 17133.0 + 26666.0) / 4.0)).epsilon(1e-3));
  // The two rows above the knee decide.
  const std::string decided = saturation.at(1).at("decided_by");
  CHECK(decided.find("N = 348") != std::string::npos);
  CHECK(decided.find("N = 400") != std::string::npos);

  const std::string text = saturn_process(
                               "calibrate protodune_perf_client.txt protodune_big_batch.csv --scenario "
                               "protodune-big-batch",
                               examples)
                               .out;
  const double factor = saturation.at(0).at("device_time_s").at("mean").get<double>() /
                        saturation.at(1).at("device_time_s").at("mean").get<double>();
  std::string shown = std::to_string(std::round(factor * 100.0) / 100.0);
  shown.resize(4);
  CHECK(in_one_line(text).find(
            "CONTRADICTION: protodune_perf_client.txt and protodune_big_batch.csv differ by a factor of " + shown) !=
        std::string::npos);
}

TEST_CASE("the ML module's 12 s add up from its four measured parts") {
  const std::string text = saturn_process("calibrate protodune_slides.json", examples).out;
  // 7 + 3.9/2 + 0.4 + 2.7 s, with 1.96 times the error of the GPU time.
  CHECK(text.find("7 s preprocessing + 1.95 s bandwidth + 0.4 s travel + 2.7 s gpu = 12.1 ± 0.6 s\n") !=
        std::string::npos);
}

TEST_CASE("perf_analyzer's files become a fitted file, and that a plan, in two commands") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const ProcessResult written =
      saturn_process("calibrate " + examples + "graph_net_b25.csv " + examples + "graph_net_b100.csv " + examples +
                         "graph_net_b250.csv " + examples + "graph_net_b500.csv --model graph_net --out graph_net.json",
                     where);
  REQUIRE(written.exit_code == 0);
  const Json file = Json::parse(text_of_file(folder.path() / "graph_net.json"));
  const Json& fit = file.at("fits").at("graph_net");
  CHECK(fit.at("law") == "affine");
  // The files were made with 2.1 ms and 99 us an item, and 1 % of noise.
  const Json& parameters = fit.at("parameters");
  CHECK(parameters.at(0).at("low").get<double>() < 2.1e-3);
  CHECK(parameters.at(0).at("high").get<double>() > 2.1e-3);
  CHECK(parameters.at(1).at("low").get<double>() < 99e-6);
  CHECK(parameters.at(1).at("high").get<double>() > 99e-6);
  CHECK(file.at("data").size() == 4);
  CHECK(file.at("data").at(0).at("sha256").get<std::string>().size() == 64);

  const std::string use = R"( --set '/models/graph_net/service/small_gpu={"fitted": "graph_net.json"}')";
  const ProcessResult planned = saturn_process("plan first-steps --quiet --details" + use, where);
  CHECK(planned.exit_code == 0);
  CHECK(planned.out.find("from the GPU times of graph_net") != std::string::npos);
}

TEST_CASE("a rate of items is drawn as a rate: its inverse stands in the law") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  REQUIRE(saturn_process("calibrate " + examples + "protodune_perf_client.txt --model emtrk --out emtrk.json", where)
              .exit_code == 0);
  const Json run = json_answer(
      "run protodune-big-batch --set /run/brief=true --set /jobs/0/count=120 --set "
      R"(/servers/0/devices/count=1 --set '/models/emtrk/service/t4={"fitted": "emtrk.json"}')",
      where);
  const Json rate = run.at("result").at("events_per_s");
  // Above saturation events follow the rate of the items: one GPU, 55,000 items an event, ± Student's t of four runs.
  const double mean = (15933.0 + 25333.0 + 17133.0 + 26666.0) / 4.0 / 55000.0;
  CHECK(rate.at("mean").get<double>() == doctest::Approx(mean).epsilon(0.01));
  const double standard_error = 2754.2;  // of 15,933, 25,333, 17,133 and 26,666, sd/2
  const double half_width = 3.1824 * standard_error / 55000.0;
  CHECK(rate.at("high").get<double>() - rate.at("mean").get<double>() == doctest::Approx(half_width).epsilon(0.1));
}

TEST_CASE("two files of the same model that differ by a factor are a contradiction with that factor") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const std::string header = "batch,time_ms\n";
  folder.write("old.csv", header + "1,3.0\n8,10.1\n32,33.9\n64,66.0\n");
  folder.write("new.csv", header + "1,6.0\n8,20.2\n32,67.8\n64,132.0\n");
  const Json file = fitted("old.csv new.csv --model tagger", where);
  const Json& comparison = file.at("comparisons").at(0);
  CHECK(comparison.at("factor").at("mean").get<double>() == doctest::Approx(2.0).epsilon(1e-9));
  CHECK(comparison.at("contradict") == true);
  const std::string text = saturn_process("calibrate old.csv new.csv --model tagger", where).out;
  CHECK(text.find("CONTRADICTION: time of a batch of 8 items of tagger [s]") != std::string::npos);
}

TEST_CASE("a rate of two instances splits a batch's time into device and host") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  // T(b) = 2 ms of the host + 1 ms + 100 us an item of the device; three clients keep the device busy with batches of
  // 8, each 1.8 ms of it.
  folder.write("alone.csv", "batch,time_ms\n8,3.8\n8,3.8\n16,4.6\n16,4.6\n32,6.2\n32,6.2\n");
  folder.write("shared.csv", "concurrency,batch,items_per_s\n3,8,4444.444\n");
  const Json file = fitted("alone.csv --shared shared.csv --instances 2 --model tagger", where);
  const Json& points = file.at("fits").at("tagger").at("value").at("points");
  REQUIRE(points.size() == 3);
  const auto seconds = [](const Json& text) { return std::stod(text.get<std::string>()); };
  CHECK(seconds(points.at(0).at("device")) == doctest::Approx(1.8e-3).epsilon(1e-4));
  CHECK(seconds(points.at(2).at("device")) == doctest::Approx(4.2e-3).epsilon(1e-4));
  CHECK(seconds(points.at(2).at("time")) == doctest::Approx(6.2e-3).epsilon(1e-4));
  CHECK(file.at("data").size() == 2);
}

TEST_CASE(
    "of rows with one load, one without waiting splits a batch's time, and one that the server may have joined does "
    "not") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  // 1 ms of the host, 2 ms + 100 us an item of the device. 64 clients of one item make batches of 21 and 22.
  folder.write("alone.csv", "batch,time_ms\n1,3.1\n1,3.1\n16,4.6\n16,4.6\n32,6.2\n32,6.2\n");
  // Three clients: one executes on the device at a time, and one item is a batch: 2.1 ms.
  folder.write("both.csv", "concurrency,batch,items_per_s\n3,1,476.1905\n64,1,5161.3\n");
  const Json file = fitted("alone.csv --shared both.csv --model tagger", where);
  const Json& fit = file.at("fits").at("tagger");
  const std::string device = fit.at("value").at("points").at(0).at("device");
  CHECK(std::stod(device) == doctest::Approx(2.1e-3).epsilon(1e-4));
  CHECK(fit.dump().find("both.csv:3 has a larger rate and is not used") != std::string::npos);
  CHECK(fit.dump().find("contention") == std::string::npos);
}

TEST_CASE("counted executions say what batches of a shared device were") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  folder.write("alone.csv", "batch,time_ms\n1,3.1\n1,3.1\n16,4.6\n16,4.6\n32,6.2\n32,6.2\n");
  // 128,000 requests in 6,000 batches: 64/3 items, of which the device needs 2 ms + 100 us · 64/3 = 4.1333 ms.
  folder.write("perf.txt",
               "*** Measurement Settings ***\n  Batch size: 1\n\nRequest concurrency: 64\n  Client: \n"
               "    Request count: 128000\n    Throughput: 5161.29 infer/sec\n    Avg latency: 9400 usec\n"
               "  Server: \n    Inference count: 128000\n    Execution count: 6000\n"
               "    Successful request count: 128000\n\n"
               "Inferences/Second vs. Client Average Batch Latency\n"
               "Concurrency: 64, throughput: 5161.29 infer/sec, latency 9400 usec\n");
  const Json file = fitted("alone.csv --shared perf.txt --model tagger", where);
  const Json& points = file.at("fits").at("tagger").at("value").at("points");
  CHECK(std::stod(points.at(0).at("device").get<std::string>()) == doctest::Approx(2.1e-3).epsilon(1e-3));
}

TEST_CASE("sources with dynamic batching off and on are not compared, since a share of a batch is not a batch") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  // T(b) = 2 ms + 0.1 ms · b; with 64 clients the one instance executes 32 items after 32 items, 5.2 ms each.
  folder.write("off.csv", "batch,time_ms\n1,2.1\n1,2.11\n8,2.8\n8,2.81\n32,5.2\n32,5.19\n");
  folder.write("on.csv", "concurrency,batch,items_per_s\n1,1,476\n64,1,6154\n64,1,6150\n64,1,6160\n");
  const Json file = fitted("off.csv on.csv --model tagger", where);
  const Json& fit = file.at("fits").at("tagger");
  CHECK(std::stod(fit.at("value").at("per_batch").get<std::string>()) == doctest::Approx(2.0e-3).epsilon(0.01));
  CHECK(std::stod(fit.at("value").at("per_item").get<std::string>()) == doctest::Approx(0.1e-3).epsilon(0.01));
  CHECK(file.dump().find("CONTRADICT") == std::string::npos);
  CHECK(fit.dump().find("on.csv: not fitted and not compared") != std::string::npos);
}

TEST_CASE("a measured batch that is dearer than two of half its size is named, with what would decide") {
  const TemporaryFolder folder;
  folder.write("fp32.csv", "batch,time_ms\n1,28.918\n2,50.835\n4,191.724\n");
  const std::string text = fitted("fp32.csv --model nnunet", folder.path().string()).dump();
  CHECK(text.find("THESE TIMES CANNOT ALL BE TRUE: T(4) = 191.7 ms is 1.886 times as long as 2 batches of 2") !=
        std::string::npos);
  CHECK(text.find("with two requests in flight") != std::string::npos);
}

TEST_CASE("a law is not asked where a scenario saturates that sends requests of other sizes") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  folder.write("small.csv", "batch,time_ms\n1,3.15\n8,3.5\n16,3.9\n32,4.8\n");
  const ProcessResult result = saturn_process("calibrate small.csv --model graph_net --scenario first-steps", where);
  CHECK(result.exit_code == 0);
  // first-steps sends requests of 250 items.
  CHECK(result.out.find("What follows for first-steps: nothing") != std::string::npos);
  CHECK(fitted("small.csv --model graph_net --scenario first-steps", where).at("saturation_notes").at(0) ==
        "small.csv knows batches of 1 to 32 items, and the requests carry 250: too far to say where the "
        "scenario saturates");
}

TEST_CASE("a single round trip far from the others is named and left out") {
  const TemporaryFolder folder;
  std::string text = "PING host (10.0.0.1) 56(84) bytes of data.\n";
  for (int i = 1; i <= 20; ++i)
    text += "64 bytes from 10.0.0.1: icmp_seq=" + std::to_string(i) + " ttl=64 time=" +
            (i == 7       ? "324"
             : i % 2 == 0 ? "24.4"
                          : "24.6") +
            " ms\n";
  folder.write("ping.txt", text);
  const ProcessResult result = saturn_process("calibrate ping.txt", folder.path().string());
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("value 7 of 20 is an OUTLIER and left out: 13.") != std::string::npos);
  const Json file = fitted("ping.txt", folder.path().string());
  // Ten of 24.4 and nine of 24.6.
  CHECK(file.at("fits").at("rtt").at("parameters").at(0).at("value").get<double>() ==
        doctest::Approx((10 * 0.0244 + 9 * 0.0246) / 19.0).epsilon(1e-9));
}

TEST_CASE("fitted files repeat byte for byte when their date is given") {
  const std::string command = "calibrate graph_net_b25.csv --format json";
  const std::string before = "SOURCE_DATE_EPOCH=1795000000";
  const std::string first = saturn_process(command, examples, before).out;
  CHECK(first == saturn_process(command, examples, before).out);
  CHECK(Json::parse(first).at("created") == "2026-11-18T11:06:40Z");
}
