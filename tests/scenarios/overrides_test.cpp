#include <doctest/doctest.h>

#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

Scenario overridden(const std::vector<Override>& overrides) {
  return read_scenario_text(sound_scenario(), "s.json", overrides).scenario;
}

std::string blame(const std::string& pointer, const std::string& value) {
  const std::vector<Complaint> complaints = complaints_about(sound_scenario(), {{pointer, value}});
  return complaints.empty() ? "none" : complaints.front().formatted();
}

}  // namespace

TEST_CASE("an override is split at its first equals sign") {
  const Override change = parse_override("/title=a=b");
  CHECK(change.pointer == "/title");
  CHECK(change.value == "a=b");
  CHECK_THROWS_AS(parse_override("jobs/0/count=3"), InputError);
  CHECK_THROWS_AS(parse_override("/jobs/0/count"), InputError);
}

TEST_CASE("overrides change values, add keys and elements, and the last one wins") {
  CHECK(overridden({{"/jobs/0/count", "100"}}).jobs[0].count == 100);
  CHECK(overridden({{"/jobs/0/count", "100"}, {"/jobs/0/count", "200"}}).jobs[0].count == 200);
  CHECK(overridden({{"/jobs/0/event/0/cpu", "2 min"}}).jobs[0].event.size() == 3);
  CHECK(overridden({{"/jobs/0/threads", "4"}}).jobs[0].threads == 4);
  CHECK(overridden({{"/servers/0/dispatch", "random"}}).servers[0].dispatch == Dispatch::random);
  CHECK(overridden({{"/devices/t4/price", "0.35 USD/h"}}).devices.at("t4").price == UsdPerHour{0.35});
  CHECK(overridden({{"/jobs/0/event/-", R"({ "cpu": "1 s" })"}}).jobs[0].event.size() == 4);
  CHECK(overridden({{"/jobs/0/event/0/cpu", R"({ "exponential": { "mean": "9 s" } })"}}).jobs[0].event.size() == 3);
}

TEST_CASE("an override makes the optional object that it reaches into") {
  const std::string text = sound_scenario_with(",\n  \"run\": { \"seed\": 42 }", "");
  const std::vector<Override> seed{{"/run/seed", "7"}};
  CHECK(read_scenario_text(text, "s.json", seed).scenario.run.seed == 7);
}

TEST_CASE("a wrong override is blamed by name") {
  CHECK(blame("/jobs/0/count", "0") ==
        "--set /jobs/0/count=0: scenario.out_of_range\n  /jobs/0/count is 0; allowed is 1 to 2,000,000.");
  CHECK(blame("/jobs/0/event/0/cpu", "110") ==
        "--set /jobs/0/event/0/cpu=110: scenario.missing_unit\n"
        "  /jobs/0/event/0/cpu is 110; a duration needs its unit, for example \"110 s\".");
  CHECK(blame("/jobs/0/event/2/infer", "emtrak") ==
        "--set /jobs/0/event/2/infer=emtrak: scenario.unknown_model\n"
        "  /jobs/0/event/2/infer names the model \"emtrak\", which is not in /models. Did you mean \"emtrk\"?");
  CHECK(blame("/jobs/0/cuont", "3") ==
        "--set /jobs/0/cuont=3: scenario.unknown_key\n"
        "  /jobs/0 has the key \"cuont\", which a job pool does not have; did you mean \"count\"?");
  CHECK(blame("/run/precision", "NaN") ==
        "--set /run/precision=NaN: scenario.wrong_type\n"
        "  /run/precision is \"NaN\"; a number or a percentage is needed, for example 0.01 or \"1 %\".");
  CHECK(blame("/run", R"({ "seed": 1, "seed": 2 })") ==
        "--set /run={ \"seed\": 1, \"seed\": 2 }: scenario.duplicate_key\n"
        "  /seed is given twice in the value; keep one of the two.");
}

TEST_CASE("a pointer that leads nowhere names what is nearest") {
  CHECK(blame("/job/0/count", "3") ==
        "--set /job/0/count=3: set.unknown_pointer\n  The document has no \"job\"; did you mean /jobs?");
  CHECK(blame("/jobs/3/count", "3") ==
        "--set /jobs/3/count=3: set.unknown_pointer\n"
        "  /jobs is a list of 1; its elements are 0 to 0, and \"-\" adds one.");
  CHECK(blame("/jobs/0/name/first", "3") ==
        "--set /jobs/0/name/first=3: set.unknown_pointer\n  /jobs/0/name is \"reco\" and has nothing inside.");
  CHECK(
      blame("/models/emtrkk/input", "1 B") ==
      "--set /models/emtrkk/input=1 B: set.unknown_pointer\n  /models has no \"emtrkk\"; did you mean /models/emtrk?");
  CHECK(blame("/title", "\xFF").starts_with("--set /title="));
}

TEST_CASE("the resolved document holds the overrides, sorted keys and no comments, and reads as the same scenario") {
  const std::vector<Override> changes{{"/jobs/0/count", "100"}};
  const ReadScenario read = read_scenario_text("// comment\n" + sound_scenario(), "s.json", changes);
  CHECK(read.resolved.find("comment") == std::string::npos);
  CHECK(read.resolved.find("\"count\": 100") != std::string::npos);
  CHECK(read.resolved.find("\"devices\"") < read.resolved.find("\"jobs\""));
  CHECK(read_scenario_text(read.resolved, "r.json", {}).resolved == read.resolved);
}

}  // namespace saturn::tests
