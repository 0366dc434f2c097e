#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using nlohmann::json;

TEST_CASE("validation lists its cases and refuses names that it does not know") {
  const std::string listed = saturn_process("validate").out;
  CHECK(listed.find("protodune_4T4_bigbatch_nodyn") != std::string::npos);
  CHECK(listed.find("protodune_4T4_smallbatch_nodyn") != std::string::npos);
  const ProcessResult unknown = saturn_process("validate protodune");
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.err.find("measured.no_file") != std::string::npos);
}

TEST_CASE("a measured row is simulated with its own work outside the module and compared with all that was measured") {
  const TemporaryFolder folder;
  // 300 jobs on four T4 saturate the GPUs: R = 300 x 1.77 s / 4 = 132.75 s, of which 100 s are outside the module.
  folder.write("mine.json", R"({"schema": "saturn-measured/1", "id": "mine", "title": "mine",
    "source": {"text": "made up"}, "verified": false, "scenario": "protodune-big-batch",
    "rows": [{"set": {"/jobs/0/count": 300, "/jobs/0/event/0/cpu": "100 s"}, "nonml_s": 100,
              "measured": {"event_time_s": {"value": 132.75}, "module_time_s": {"value": 32.75},
                           "events_per_s": {"value": 2.26}}}]})");
  const ProcessResult result = saturn_process("validate mine.json --format json --quiet", folder.path().string());
  REQUIRE(result.exit_code == 0);
  const json one = json::parse(result.out)["cases"][0];
  for (const char* quantity : {"event_time_s", "module_time_s", "events_per_s"}) {
    CAPTURE(quantity);
    CHECK(std::abs(one["rows"][0][quantity]["error"].get<double>()) < 0.02);
    CHECK(one["errors"][quantity]["rows"] == 1);
  }
  CHECK(one["errors"]["event_time_s"]["worst_error"] == one["rows"][0]["event_time_s"]["error"]);
}
