#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using nlohmann::json;

TEST_CASE("a plan's falsification is repeated to the last bit by the commands that it names") {
  const json plan = json::parse(saturn_process("plan first-steps --falsify --seed 7 --format json --quiet").out);
  CHECK(plan["provenance"]["command"] == "saturn plan first-steps --seed 7 --falsify");
  REQUIRE(plan["falsify"].size() == 6);
  const json& jobs = plan["falsify"][0];
  CHECK(jobs["kind"] == "jobs");
  CHECK(jobs["again"] == "saturn run first-steps --set /jobs/0/count=" + jobs["jobs"].dump() + " --seed 7");
  const json& items = plan["falsify"][2];
  REQUIRE(items["quantity"] == "items_per_s");
  const std::string again = items["again"];
  REQUIRE(again.starts_with("saturn run "));
  const json run = json::parse(saturn_process(again.substr(7) + " --format json --quiet").out);
  CHECK(items["predicted"]["mean"].get<double>() ==
        run["result"]["events_per_s"]["mean"].get<double>() * items["request_batch"].get<double>());
}

TEST_CASE("what --falsify adds to a plan stands behind it, and nothing else changes") {
  const std::string plain = saturn_process("plan machine-repairman --quiet").out;
  const std::string more = saturn_process("plan machine-repairman --falsify --quiet").out;
  const std::string begin = "\nWhat would most sharply contradict this plan\n";
  const std::size_t at = more.find(begin);
  REQUIRE(at != std::string::npos);
  CHECK(plain.substr(0, at) == more.substr(0, at));
  CHECK(plain.substr(at).starts_with("\nsaturn "));
}

TEST_CASE("arrivals from outside are not falsified by a number of jobs, and the way out is named") {
  const ProcessResult refused = saturn_process("plan hlt-farm --falsify");
  CHECK(refused.exit_code == 2);
  CHECK(refused.out.empty());
  CHECK(refused.err.find("--falsify: option.needs_closed_jobs\n  Events arrive from outside at a pool") == 0);
  CHECK(refused.err.find("--set /jobs/0/arrivals=null") != std::string::npos);
}
