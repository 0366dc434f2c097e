#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using nlohmann::json;

TEST_CASE("plan --emit writes a configuration of each model, never over one that exists, and one that reads back") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const std::string brief = " --set /run/brief=true --set /models/graph_net/dynamic_batching=true";
  const std::string plan = "plan first-steps --format json --emit repository" + brief;
  const ProcessResult written = saturn_process(plan, where);
  CHECK(written.exit_code == 0);
  CHECK(written.err.find("wrote repository/graph_net/config.pbtxt\n") != std::string::npos);
  const std::string text = text_of_file(folder.path() / "repository" / "graph_net" / "config.pbtxt");
  CHECK(text.find("max_batch_size: 1000") != std::string::npos);
  const std::string values = text_of_file(folder.path() / "repository" / "values.yaml");
  CHECK(values.find("nameOverride: \"supersonic-server\"\n") != std::string::npos);
  const std::string readme = text_of_file(folder.path() / "repository" / "README.md");
  CHECK(readme.find("What would most sharply contradict this plan\n") != std::string::npos);
  CHECK(readme.find("perf_analyzer -m graph_net") != std::string::npos);

  const ProcessResult again = saturn_process(plan, where);
  CHECK(again.exit_code == 2);
  CHECK(again.out.empty());
  CHECK(
      again.err.ends_with("--emit: emit.exists\n  repository/graph_net/config.pbtxt, repository/values.yaml, "
                          "repository/values-inferenceServer.yaml, repository/README.md would be overwritten; name "
                          "another folder, or add --force.\n"));
  CHECK(saturn_process(plan + " --force --quiet", where).exit_code == 0);

  // Without the two keys, which then come from the file, the run is the same.
  std::string scenario = saturn_process("examples first-steps").out;
  const std::string limit = "\"max_batch_size\": 1000,";
  const std::size_t at = scenario.find(limit);
  REQUIRE(at != std::string::npos);
  scenario.replace(at, limit.size(), "\"triton_config\": \"repository/graph_net/config.pbtxt\",");
  folder.write("mine.json", scenario);
  CHECK(saturn_process("run mine.json --format csv --quiet --set /run/brief=true", where).out ==
        saturn_process("run first-steps --format csv --quiet" + brief).out);
}

TEST_CASE("a plan's falsification is repeated to the last bit by the commands that it names") {
  const json plan = json_answer("plan first-steps --falsify --seed 7");
  CHECK(plan["provenance"]["command"] == "saturn plan first-steps --seed 7 --falsify");
  REQUIRE(plan["falsify"].size() == 6);
  const json& jobs = plan["falsify"][0];
  CHECK(jobs["kind"] == "jobs");
  CHECK(jobs["again"] == "saturn run first-steps --set /jobs/0/count=" + jobs["jobs"].dump() + " --seed 7");
  const json& items = plan["falsify"][2];
  REQUIRE(items["quantity"] == "items_per_s");
  const json run = json_of_command(items["again"]);
  CHECK(items["predicted"]["mean"].get<double>() ==
        run["result"]["events_per_s"]["mean"].get<double>() * items["request_batch"].get<double>());
}

TEST_CASE("what --falsify adds to a plan stands behind it, and nothing else changes" * doctest::test_suite("release")) {
  json plain = json_answer("plan machine-repairman");
  json more = json_answer("plan machine-repairman --falsify");
  CHECK(more.erase("falsify") == 1);
  for (json* one : {&plain, &more}) one->erase("provenance");
  CHECK(plain == more);
}

namespace {

const std::string boxes = "plan first-steps --set /run/brief=true --free /servers/0/devices/count=1:4 ";

}  // namespace

TEST_CASE("a searched plan names its answer, why the others are not it, and a run that gives its figures again" *
          doctest::test_suite("release")) {
  const json plan = json_answer(boxes + "--objective cost");
  const json& answer = plan["answer"];
  CHECK(plan["search"]["candidates"] == 4);
  CHECK(plan["search"]["complete"] == true);
  CHECK(plan["rejections"].size() == 4);
  CHECK(plan["named"].contains("most robust to +30 % load"));
  const std::string command = answer["run"];
  for (const std::string setting : answer["settings"]) CHECK(command.find(" --set " + setting) != std::string::npos);
  const json run = json_of_command(command);
  const double simulated = run["result"]["events_per_s"]["mean"];
  const json& throughput = answer["figures"]["throughput_per_s"];
  CHECK(throughput["mean"].get<double>() == simulated);
  // Rent over throughput, by hand.
  const double rent = answer["figures"]["rent_usd_per_h"];
  const double cost = answer["figures"]["cost_per_million_events_usd"]["mean"];
  CHECK(cost == doctest::Approx(rent / 3600 / simulated * 1e6).epsilon(1e-6));
}

TEST_CASE("an infeasible search ends with 3 and says what would have to give, and that makes it feasible" *
          doctest::test_suite("release")) {
  const ProcessResult none =
      saturn_process(boxes + "--require 'rent <= 0.1 USD/h' --objective cost --format json --quiet");
  CHECK(none.exit_code == 3);
  const json plan = json::parse(none.out);
  CHECK(plan["answer"].is_null());
  REQUIRE(plan["relaxations"].size() >= 1);
  const json& cheapest = plan["relaxations"][0];
  CHECK(cheapest["requirement"] == "rent <= 0.1 USD/h");
  const std::string limit = std::to_string(cheapest["needed_limit"].get<double>() * 1.0001);
  CHECK(saturn_process(boxes + "--require 'rent <= " + limit + " USD/h' --objective cost --quiet").exit_code == 0);
  const ProcessResult table = saturn_process(boxes + "--require 'rent <= 0.1 USD/h' --objective cost --quiet");
  CHECK(table.out.find("No plan: none of 4 candidates meets every requirement. The cheapest way out:") !=
        std::string::npos);
  CHECK(table.out.find("rent <= 0.1 USD/h") != std::string::npos);
}

TEST_CASE("the answer does not depend on how many simulations run at once" * doctest::test_suite("release")) {
  const std::string words = "--objective throughput --require 'slowdown <= 20 %' --format json --quiet --workers ";
  CHECK(saturn_process(boxes + words + "1").out == saturn_process(boxes + words + "3").out);
}

TEST_CASE("a budget that is spent ends a plan with 4 and what is known by then") {
  const ProcessResult jobs = saturn_process("plan protodune-small-batch --budget '1 us' --format json --quiet");
  CHECK(jobs.exit_code == 4);
  const json plan = json::parse(jobs.out);
  CHECK(plan["budget_spent"] == true);
  const json& answer = plan["answer"]["streams_per_gpu"];
  // A bound says nothing of how few there may be.
  CHECK(answer["low"].is_null());
  CHECK(answer["high"] == 45);
  const ProcessResult arrivals = saturn_process("plan hlt-farm --budget '1 us' --quiet");
  CHECK(arrivals.exit_code == 4);
  CHECK(arrivals.out.find("Nothing was simulated: these numbers are those of bounds alone.\n"
                          "No time was left for a simulated number of devices.\n") != std::string::npos);
  const ProcessResult search = saturn_process(boxes + "--objective cost --budget '1 us' --format json --quiet");
  CHECK(search.exit_code == 4);
  CHECK(json::parse(search.out)["search"]["complete"] == false);
}

TEST_CASE("sensitivities stand behind a plan and change nothing else of it") {
  const std::string plan = "plan protodune-big-batch --set /run/brief=true";
  json with = json_answer(plan + " --sensitivity");
  json without = json_answer(plan);
  CHECK(with["sensitivity"]["inputs"][0]["input"] == "/jobs/0/event/2/items");
  with.erase("sensitivity");
  with.erase("provenance");
  without.erase("provenance");
  CHECK(with == without);
}

TEST_CASE("no candidate that was looked at in full and meets everything is better than the answer" *
          doctest::test_suite("release")) {
  // Nothing varies, so that full looks are exact, while brief ones meet other phases of the batches.
  const TemporaryFolder folder;
  const std::string examples = std::string(SATURN_SOURCE_DIR) + "/calibration/examples/";
  std::string made = "new ";
  for (const char* rows : {"25", "100", "250", "500"}) made += examples + "graph_net_b" + rows + ".csv ";
  REQUIRE(saturn_process(
              made + "--models " + examples + "model_repository --jobs 40 --spread '0 %' --out farm.json --quiet",
              folder.path().string())
              .exit_code == 0);
  const ProcessResult searched = saturn_process(
      "plan farm.json --jobs 900 --free /models/graph_net/max_batch_size=100,200,500 --free "
      "'/models/graph_net/max_queue_delay=0 ms,0.5 ms,1 ms' --free /models/graph_net/instances=1,2 --require "
      "'latency_p99(graph_net) <= 100 ms' --objective latency --format json --quiet",
      folder.path().string());
  REQUIRE(searched.exit_code == 0);
  const json plan = json::parse(searched.out);
  constexpr double resolution = 0.0025;
  const double best = plan["answer"]["figures"]["latency_p99_s"]["mean"];
  std::size_t full = 0;
  for (const json& one : plan["candidates"]) {
    if (one["known_by"] != "full") continue;
    ++full;
    CHECK(one["figures"]["latency_p99_s"]["mean"].get<double>() >= best * (1.0 - resolution));
  }
  CHECK(full > 3);
}
