#include <doctest/doctest.h>

#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

std::string with_alternatives(const std::string& list) {
  return sound_scenario_with("\"schema\"", "\"alternatives\": " + list + ",\n  \"schema\"");
}

std::string only_complaint(const std::string& list) {
  const std::vector<Complaint> complaints = complaints_about(with_alternatives(list));
  return complaints.size() == 1 ? complaints.front().text : std::to_string(complaints.size()) + " complaints";
}

}  // namespace

TEST_CASE("an alternative keeps its changes in their order, and as --set would take them") {
  const Scenario scenario = read_scenario_text(with_alternatives(R"([{ "name": "near", "set": {
          "/servers/0/site": "fnal", "/jobs/0/count": 5, "/title": "7",
          "/network/links/-": { "between": ["fnal", "fnal"], "bandwidth": "10 Gbps" } } }])"),
                                               "s.json", {})
                                .scenario;
  REQUIRE(scenario.alternatives.size() == 1);
  const std::vector<Override>& set = scenario.alternatives[0].set;
  REQUIRE(set.size() == 4);
  CHECK(set[0].pointer == "/servers/0/site");
  CHECK(set[0].value == "fnal");
  CHECK(set[1].value == "5");
  // Without its quotes it would be a number.
  CHECK(set[2].value == "\"7\"");
  CHECK(set[3].value == R"({"bandwidth":"10 Gbps","between":["fnal","fnal"]})");
}

TEST_CASE("alternatives that make no sense are refused") {
  CHECK(only_complaint(R"([{ "name": "CPU only", "set": {} }])") ==
        "/alternatives/0/name is \"CPU only\", the row that every comparison has; it follows from the "
        "\"cpu_alternative\" of the stages. Choose another name.");
  CHECK(only_complaint(R"([{ "name": "a", "set": { "jobs": 3 } }])") ==
        "/alternatives/0/set has the key \"jobs\"; a JSON pointer into the scenario is needed, for example "
        "\"/servers/0/site\".");
  CHECK(only_complaint(R"([{ "name": "a", "set": { "/alternatives/0/name": "b" } }])") ==
        "/alternatives/0/set has the key \"/alternatives/0/name\"; an alternative cannot change the list of "
        "alternatives.");
  CHECK(only_complaint(R"([{ "name": "a", "set": {} }, { "name": "a", "set": {} }])") ==
        "/alternatives/1/name is \"a\", as is /alternatives/0/name; give each its own name.");
}

TEST_CASE("an override with null takes a key away, and not an element of a list") {
  const std::string text = sound_scenario();
  const std::vector<Override> without_title{{"/title", "null"}};
  CHECK(read_scenario_text(text, "s.json", without_title).scenario.title.empty());
  const std::vector<Complaint> required = complaints_about(text, {{"/jobs", "null"}});
  REQUIRE(required.size() == 1);
  CHECK(required[0].code == "scenario.missing_key");
  const std::vector<Complaint> element = complaints_about(text, {{"/jobs/0/event/0", "null"}});
  REQUIRE(element.size() == 1);
  CHECK(element[0].code == "scenario.wrong_type");
}

}  // namespace saturn::tests
