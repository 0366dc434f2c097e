#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using nlohmann::json;

namespace {

const std::string boxes = "plan first-steps --free /servers/0/devices/count=1:4 ";

}  // namespace

TEST_CASE("a searched plan names its answer, why the others are not it, and a run that gives its figures again") {
  const ProcessResult found = saturn_process(boxes + "--objective cost --format json --quiet");
  REQUIRE(found.exit_code == 0);
  const json plan = json::parse(found.out);
  const json& answer = plan["answer"];
  CHECK(plan["search"]["candidates"] == 4);
  CHECK(plan["search"]["complete"] == true);
  CHECK(plan["rejections"].size() == 4);
  CHECK(plan["named"].contains("most robust to +30 % load"));
  const std::string command = answer["run"];
  REQUIRE(command.starts_with("saturn run first-steps"));
  for (const std::string setting : answer["settings"]) CHECK(command.find(" --set " + setting) != std::string::npos);
  const json run = json::parse(saturn_process(command.substr(7) + " --format json --quiet").out);
  const double simulated = run["result"]["events_per_s"]["mean"];
  const json& throughput = answer["figures"]["throughput_per_s"];
  CHECK(throughput["mean"].get<double>() == simulated);
  // Rent over throughput, by hand.
  const double rent = answer["figures"]["rent_usd_per_h"];
  const double cost = answer["figures"]["cost_per_million_events_usd"]["mean"];
  CHECK(cost == doctest::Approx(rent / 3600 / simulated * 1e6).epsilon(1e-6));
}

TEST_CASE("an infeasible search ends with 3 and says what would have to give, and that makes it feasible") {
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
  CHECK(table.out.find(
            "No plan: none of 4 candidates meets every requirement. The cheapest way out: rent <= 0.1 USD/h") !=
        std::string::npos);
}

TEST_CASE("the answer does not depend on how many simulations run at once") {
  const std::string words = "--objective throughput --require 'slowdown <= 20 %' --format json --quiet --workers ";
  CHECK(saturn_process(boxes + words + "1").out == saturn_process(boxes + words + "3").out);
}

TEST_CASE("a budget that is spent ends a plan with 4 and what is known by then") {
  const ProcessResult jobs = saturn_process("plan protodune-small-batch --budget '1 us' --format json --quiet");
  CHECK(jobs.exit_code == 4);
  const json plan = json::parse(jobs.out);
  CHECK(plan["budget_spent"] == true);
  const json& answer = plan["answer"]["clients_per_gpu"];
  CHECK(answer["low"] == 0);
  CHECK(answer["high"] == 45);
  const ProcessResult search = saturn_process(boxes + "--objective cost --budget '1 us' --format json --quiet");
  CHECK(search.exit_code == 4);
  CHECK(json::parse(search.out)["search"]["complete"] == false);
}

TEST_CASE("what only a search understands is refused where nothing is searched") {
  const ProcessResult refused = saturn_process("plan first-steps --spare-nodes 1");
  CHECK(refused.exit_code == 2);
  CHECK(refused.err ==
        "--spare-nodes: option.needs_free\n"
        "  --spare-nodes belongs to a search: say what may be chosen, for example --free /servers/0/devices/count=1:8, "
        "and "
        "what is best, for example --objective cost.\n");
  CHECK(saturn_process("plan first-steps --budget '0 s'").exit_code == 2);
  CHECK(saturn_process(boxes + "--objective cost --availability '100 %'").exit_code == 2);
  const ProcessResult hopeless =
      saturn_process(boxes + "--objective cost --availability '99 %' --node-availability '0.0000001 %'");
  CHECK(hopeless.exit_code == 2);
  CHECK(hopeless.err.find("no reserve for each other; give 1 % or more.") != std::string::npos);
}

TEST_CASE("sensitivities stand behind a plan and change nothing else of it") {
  json with = json::parse(saturn_process("plan protodune-big-batch --sensitivity --format json --quiet").out);
  json without = json::parse(saturn_process("plan protodune-big-batch --format json --quiet").out);
  CHECK(with["sensitivity"]["inputs"][0]["input"] == "/models/emtrk/service/t4/per_item");
  with.erase("sensitivity");
  with.erase("provenance");
  without.erase("provenance");
  CHECK(with == without);
}
