#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

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
      saturn_process("run machine-repairman --set /run/precision=0.0001 --budget '50 ms' --format json --quiet");
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

TEST_CASE("nothing to compare with, and no time to simulate, are refused with the way out") {
  CHECK(saturn_process("compare mm1").exit_code == 64);
  const ProcessResult none = saturn_process("run mm1 --budget '0 s'");
  CHECK(none.exit_code == 2);
  CHECK(none.err ==
        "--budget: option.not_a_quantity\n"
        "  --budget is \"0 s\"; a wall time above 0 needs its unit (s, min, h), for example \"30 s\". Without --budget "
        "nothing ends early; `saturn check` answers by the formulas alone.\n");
}
