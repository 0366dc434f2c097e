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
  const ProcessResult unknown = saturn_process("validate no-such-case");
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

TEST_CASE("the beginning of a name validates all its cases, and changed values are named in every form of the answer" *
          doctest::skip(left_to_release_builds)) {
  const TemporaryFolder folder;
  const std::string changed = "--set '/models/all/service/t4/per_batch/exponential/mean=20 ms'";
  const ProcessResult table = saturn_process("validate purdue " + changed, folder.path().string());
  REQUIRE(table.exit_code == 3);
  CHECK(table.out.find(", CHANGED: /models/all/service/t4/per_batch/exponential/mean=20 ms\n") != std::string::npos);
  CHECK(table.out.find("\nAll cases, CHANGED: ") != std::string::npos);
  CHECK(table.out.find("  purdue_four_t4  events/s") != std::string::npos);
  CHECK(table.err.find("note: every row was simulated with /models/all/service/t4/per_batch/exponential/mean=20 ms; "
                       "these are not the errors of the shipped scenarios\n") != std::string::npos);
  const ProcessResult same = saturn_process("validate exatrkx_direct --seed 7 --set '/run/precision=\"5 %\"'");
  REQUIRE(same.exit_code == 0);
  CHECK(same.out.find("CHANGED") == std::string::npos);
  const std::string summary = saturn_process("validate exatrkx_direct --summary --quiet").out;
  CHECK(summary.starts_with("All cases\n"));
  CHECK(summary.find("  exatrkx_direct  event time") != std::string::npos);
}

TEST_CASE("shipped cases keep within their bands" * doctest::skip(left_to_release_builds)) {
  // Those that are not compared with docs/validation.md row by row, and do not take long.
  for (const char* cases : {"triton_fastpitch", "purdue", "cms_cross", "resnet50_gpus"}) {
    CAPTURE(cases);
    const ProcessResult result = saturn_process(std::string("validate ") + cases + " --format json --quiet");
    REQUIRE(result.exit_code == 0);
    std::size_t targets = 0;
    const json document = json::parse(result.out);
    for (const json& one : document["cases"]) {
      for (const auto& [quantity, errors] : one["errors"].items()) {
        if (errors["target"].is_null()) continue;
        CAPTURE(quantity);
        CHECK(errors["within_target"] == true);
        ++targets;
      }
    }
    CHECK(targets > 0);
  }
}

TEST_CASE("one queue for all pods makes the knee of the pinned jobs too sharp") {
  const ProcessResult result =
      saturn_process("validate purdue_four_t4 --set /servers/0/balancing=central_queue --format json --quiet");
  REQUIRE(result.exit_code == 3);
  const json document = json::parse(result.out);
  CHECK(document["cases"][0]["errors"]["events_per_s"]["worst_error"].get<double>() > 0.15);
}

TEST_CASE("an error that leaves its band, and a band that no row counts for, end with 3 and the answer is given") {
  const ProcessResult slow = saturn_process(
      "validate resnet50_gpu_batch --quiet --set '/models/resnet50/service/gpu/points/0/time=8 ms' --summary");
  CHECK(slow.exit_code == 3);
  CHECK(slow.out.find("median 2 %, worst 5 %  OUTSIDE") != std::string::npos);
  const TemporaryFolder folder;
  folder.write("mine.json", R"({"schema": "saturn-measured/1", "id": "mine", "title": "mine",
    "source": {"text": "made up"}, "verified": false, "scenario": "exatrkx-direct",
    "targets": {"event_time_s": {"worst": 0.5}},
    "rows": [{"point": "one", "set": {}, "used": "calibration", "measured": {"event_time_s": {"value": 0.062}}}]})");
  const ProcessResult nothing = saturn_process("validate mine.json --quiet", folder.path().string());
  CHECK(nothing.exit_code == 3);
  CHECK(nothing.out.find("NO ROWS") != std::string::npos);
}

TEST_CASE("the page of a validation is never written over a file without force, nor where there is no folder") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  folder.write("page.md", "mine");
  const ProcessResult present = saturn_process("validate exatrkx_direct --write page.md", where);
  CHECK(present.exit_code == 2);
  CHECK(present.out.empty());
  CHECK(present.err == "--write: write.exists\n  page.md would be overwritten; name another file, or add --force.\n");
  CHECK(text_of_file(folder.path() / "page.md") == "mine");
  CHECK(saturn_process("validate exatrkx_direct --write no/page.md", where).err ==
        "--write: write.no_folder\n  There is no folder no; make it, or name another place.\n");
  CHECK(saturn_process("validate exatrkx_direct --write .", where).exit_code == 2);
  CHECK(saturn_process("validate exatrkx_direct --write ''", where).exit_code == 2);
  CHECK(saturn_process("validate exatrkx_direct --write page.md --force", where).exit_code == 0);
  CHECK(text_of_file(folder.path() / "page.md").starts_with("# Published measurements"));
}
