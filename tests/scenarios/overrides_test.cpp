#include <doctest/doctest.h>

#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

TEST_CASE("an override is split at its first equals sign") {
  const Override change = parse_override("/title=a=b");
  CHECK(change.pointer == "/title");
  CHECK(change.value == "a=b");
  CHECK_THROWS_AS(parse_override("jobs/0/count=3"), InputError);
  CHECK_THROWS_AS(parse_override("/jobs/0/count"), InputError);
}

TEST_CASE("overrides change values, add keys and elements, and the last one wins") {
  CHECK(sound_with({{"/jobs/0/count", "100"}}).scenario.jobs[0].count == 100);
  CHECK(sound_with({{"/jobs/0/count", "100"}, {"/jobs/0/count", "200"}}).scenario.jobs[0].count == 200);
  CHECK(sound_with({{"/jobs/0/event/0/cpu", "2 min"}}).scenario.jobs[0].event.size() == 3);
  CHECK(sound_with({{"/jobs/0/threads", "4"}}).scenario.jobs[0].threads == 4);
  CHECK(sound_with({{"/servers/0/dispatch", "random"}}).scenario.servers[0].dispatch == Dispatch::random);
  CHECK(sound_with({{"/devices/t4/price", "0.35 USD/h"}}).scenario.devices.at("t4").price == UsdPerHour{0.35});
  CHECK(sound_with({{"/jobs/0/event/-", R"({ "cpu": "1 s" })"}}).scenario.jobs[0].event.size() == 4);
  CHECK(
      sound_with({{"/jobs/0/event/0/cpu", R"({ "exponential": { "mean": "9 s" } })"}}).scenario.jobs[0].event.size() ==
      3);
}

TEST_CASE("a star in an override stands for every element or key in which the rest is") {
  const std::vector<Override> second{
      {"/models/other", R"({ "input": "1 B", "max_batch_size": 9, "ensemble": ["emtrk"] })"}};
  const auto with = [&](const char* pointer, const char* value) {
    std::vector<Override> changes = second;
    changes.push_back({pointer, value});
    return sound_with(changes).scenario;
  };
  const Scenario both = with("/models/*/input", "7 B");
  CHECK(both.models.at("emtrk").input == Bytes{7.0});
  CHECK(both.models.at("other").input == Bytes{7.0});
  // The ensemble has no service, in which a scatter could be.
  CHECK(with("/models/*/service/*/scatter", "20 %").models.at("emtrk").service.at("t4").scatter == 0.2);
  CHECK(with("/jobs/*/count", "5").jobs[0].count == 5);
  CHECK(complaints_about(sound_scenario(), {{"/models/*/servces/*/scatter", "1"}}).size() == 1);
}

TEST_CASE("an override makes the optional object that it reaches into") {
  const std::string text = sound_scenario_with(",\n  \"run\": { \"seed\": 42 }", "");
  const std::vector<Override> seed{{"/run/seed", "7"}};
  CHECK(read_scenario_text(text, "s.json", seed).scenario.run.seed == 7);
}

TEST_CASE("an override that is not UTF-8 is blamed without its bytes") {
  const std::vector<Complaint> complaints = complaints_about(sound_scenario(), {{"/title", "\xFF"}});
  REQUIRE(complaints.size() == 1);
  CHECK(complaints.front().formatted().starts_with("--set /title="));
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
