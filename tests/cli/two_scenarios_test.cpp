#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using nlohmann::json;

TEST_CASE("a scenario compared with itself does not differ, and one with slower devices is worse") {
  const json same =
      json::parse(saturn_process("compare machine-repairman machine-repairman --format json --quiet").out)["result"];
  CHECK(same["decision"] == "no difference");
  for (const json& number : same["numbers"]) CHECK(number["difference"]["mean"] == 0.0);
  const json slower =
      json::parse(saturn_process("compare protodune-big-batch --set-b '/models/emtrk/service/t4/per_item=64.4 us' "
                                 "--format json --quiet")
                      .out)["result"];
  CHECK(slower["decision"] == "A is better");
  // Twice the time of a device that was nearly saturated: N/G·t_GPU.
  CHECK(slower["numbers"][0]["b"]["mean"].get<double>() == doctest::Approx(268.0 / 4 * 55000 * 64.4e-6).epsilon(0.01));
}

TEST_CASE("a run that its budget ends says so with 4 and is repeated by the command that it names") {
  const ProcessResult ended =
      saturn_process("run machine-repairman --set /run/precision=0.0001 --budget '1500 ms' --format json --quiet");
  CHECK(ended.exit_code == 4);
  json first = json::parse(ended.out);
  const std::string command = first["provenance"]["command"];
  REQUIRE(command.starts_with("saturn run machine-repairman --set /run/precision=0.0001 --set /run/max_replications="));
  json again = json::parse(saturn_process(command.substr(7) + " --format json --quiet").out);
  // Only what was asked differs.
  first["result"].erase("precision");
  again["result"].erase("precision");
  CHECK(first["result"] == again["result"]);
}

TEST_CASE("no verb goes on for longer than its budget, and the formulas answer where no simulation was complete") {
  const TemporaryFolder folder;
  // One replication of so many event times takes minutes.
  const std::string slow = "protodune-small-batch --set /run/cycles=100000 ";
  const std::string budget = "--budget '400 ms' --format json --quiet ";
  const auto ended = [&](const std::string& arguments) {
    CAPTURE(arguments);
    const auto begin = std::chrono::steady_clock::now();
    const ProcessResult result = saturn_process(arguments + budget, folder.path().string());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    // Starting the program and printing are no part of a budget; tests share their machine.
    CHECK(took.count() < 0.4 + 0.5 + 3.0);
    CHECK(result.exit_code == 4);
    return json::parse(result.out);
  };
  const auto bound_of = [](const json& scenario) {
    for (const json& reference : scenario["references"])
      if (reference["method"] == "bound") return reference["event_time_s"].get<double>();
    return 0.0;
  };
  const json run = ended("run " + slow)["result"];
  CHECK(run["confirmed"] == false);
  CHECK(run["event_time_s"].is_null());
  CHECK(run["precision"]["out_of_time"] == true);
  const json known = json::parse(saturn_process("check protodune-small-batch --format json").out);
  CHECK(bound_of(run) == doctest::Approx(known["result"]["bound_event_time_s"].get<double>()));

  const json two = ended("compare " + slow + "--set-b /servers/0/devices/count=8 ")["result"];
  REQUIRE(two["scenarios"].size() == 2);
  CHECK(bound_of(two["scenarios"][0]) >= bound_of(two["scenarios"][1]));
  CHECK(ended("compare " + slow + "--alternatives ")["result"]["confirmed"] == false);

  const json plan = ended("plan " + slow);
  CHECK(plan["answer"]["confirmed"] == false);
  CHECK(plan["answer"]["gpus_by_bound"].get<int>() >= 1);
  CHECK(plan["candidates"].empty());
  const json search = ended("plan " + slow + "--gpus 4:8 --objective fewest-gpus ");
  CHECK(search["search"]["complete"] == false);
  CHECK(search["answer"]["known_by"] != "full");
  ended("report " + slow + "--out page.html ");
}

TEST_CASE("a budget holds for a million jobs, and what is left is the formulas' number") {
  const auto begin = std::chrono::steady_clock::now();
  const ProcessResult run = saturn_process("run first-steps --set /jobs/0/count=1000000 --budget '400 ms' --quiet");
  const ProcessResult plan = saturn_process("plan first-steps --set /jobs/0/count=1000000 --budget '400 ms' --quiet");
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(8));
  CHECK(run.exit_code == 4);
  CHECK(run.out.starts_with("NOT CONFIRMED: the budget of 0.400 s ended before a simulation was complete\n"));
  CHECK(run.out.find("\n  bound ") != std::string::npos);
  // The link of the scenario carries 822 jobs, whatever is bought: the bound knows that without a simulation.
  CHECK(plan.out.find("For 1,000,000 jobs no number of devices carries 1000000 clients: \"laboratory to "
                      "computing_centre\" saturates at 822.3 clients") != std::string::npos);
}

TEST_CASE("nothing to compare with, and no time to simulate, are refused with the way out") {
  CHECK(saturn_process("compare mm1").exit_code == 64);
  const ProcessResult none = saturn_process("run mm1 --budget '0 s'");
  CHECK(none.exit_code == 2);
  CHECK(none.err ==
        "--budget: option.not_a_quantity\n"
        "  --budget is \"0 s\"; a wall time above 0 needs its unit (s, min, h), for example \"30 s\". Without --budget "
        "nothing ends early; `saturn check` answers by the formulas alone.\n");
}
