#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

#include "scenarios/read_scenario.hpp"
#include "tests/cli/saturn_process.hpp"

using namespace saturn;

TEST_CASE("the list of examples names every shipped scenario with its title") {
  const nlohmann::json listed = nlohmann::json::parse(saturn_process("examples --format json").out);
  CHECK(listed["scenarios"].size() == shipped_scenarios().size());
  for (const auto& item : listed["scenarios"]) CHECK(!item["title"].get<std::string>().empty());
}

TEST_CASE("examples are printed and copied as they are, and never over a file that exists") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const std::string printed = saturn_process("examples protodune-big-batch").out;
  CHECK(saturn_process("examples --copy mine protodune-big-batch", where).exit_code == 0);
  CHECK(text_of_file(folder.path() / "mine" / "protodune-big-batch.json") == printed);

  folder.write("mine/protodune-big-batch.json", "changed");
  const ProcessResult again = saturn_process("examples --copy mine", where);
  CHECK(again.exit_code == 2);
  CHECK(again.err ==
        "mine/protodune-big-batch.json: examples.exists\n"
        "  The file would be overwritten; name another folder, or add --force.\n");
  CHECK(text_of_file(folder.path() / "mine" / "protodune-big-batch.json") == "changed");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "mine" / "first-steps.json"));
}

TEST_CASE("every shipped scenario passes its own check") {
  for (const EmbeddedFile& file : shipped_scenarios()) {
    CAPTURE(file.name);
    CHECK(saturn_process("check --quiet " + std::string(file.name)).exit_code == 0);
  }
}

TEST_CASE("plan answers every shipped scenario at its own number of jobs, and names the tolerance") {
  if (left_to_release_builds) return;
  // Short windows: what is tested is that there is an answer. Ten thousand clients take long whatever the window, and a
  // hundred that think a hundredth as long ask the same of the server.
  const std::string brief =
      " --quiet --format json --set /run/brief=true --set /run/cycles=3 --set /run/min_replications=1 --set "
      "/run/max_replications=3 --set '/run/precision=50 %'";
  const std::string fewer =
      " --set /jobs/0/count=100 --set '/jobs/0/event/0/cpu={ \"exponential\": { \"mean\": \"125 s\" } }'";
  for (const EmbeddedFile& file : shipped_scenarios()) {
    const std::string name(file.name);
    CAPTURE(name);
    const bool crowded = name == "mm1" || name == "mmc" || name == "md1";
    const ProcessResult result = saturn_process("plan " + name + brief + (crowded ? fewer : ""));
    CHECK(result.exit_code == 0);
    REQUIRE(nlohmann::json::accept(result.out));
    const nlohmann::json plan = nlohmann::json::parse(result.out);
    const std::string sentence = plan["sentence"];
    CHECK(sentence.find("0 jobs per") != 0);
    if (sentence.find(" events/s. ") == std::string::npos) CHECK(sentence.find(" % longer") != std::string::npos);
  }
}

TEST_CASE("an unknown example is refused with the names that exist") {
  const ProcessResult result = saturn_process("examples protodune");
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("examples.unknown") != std::string::npos);
  CHECK(result.err.find("protodune-big-batch, ") != std::string::npos);
}

TEST_CASE("the schema is JSON of the promised draft") {
  const nlohmann::json schema = nlohmann::json::parse(saturn_process("schema").out);
  CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
  CHECK(saturn_process("schema --reference").out == scenario_reference());
}
