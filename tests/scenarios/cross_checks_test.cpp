#include <doctest/doctest.h>

#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

// True when replacing the piece gives one complaint, of this code, at the first occurrence of the guilty text.
bool refused_at(const std::string& piece, const std::string& replacement, const std::string& guilty,
                const std::string& code) {
  const std::string text = sound_scenario_with(piece, replacement);
  const std::string expected = place_of(text, guilty) + " " + code;
  const std::string found = places_and_codes(complaints_about(text));
  if (found != expected) MESSAGE("expected " << expected << ", found " << found);
  return found == expected;
}

std::vector<Complaint> warnings_about(const std::string& piece, const std::string& replacement) {
  return read_scenario_text(sound_scenario_with(piece, replacement), "s.json", {}).warnings;
}

}  // namespace

TEST_CASE("the sound scenario has neither complaint nor warning") {
  CHECK(places_and_codes(complaints_about(sound_scenario())) == "");
  CHECK(read_scenario_text(sound_scenario(), "s.json", {}).warnings.empty());
}

TEST_CASE("names that do not exist are refused with the nearest one") {
  CHECK(only_text("\"infer\": \"emtrk\"", "\"infer\": \"emtrak\"") ==
        "/jobs/0/event/2/infer names the model \"emtrak\", which is not in /models. Did you mean \"emtrk\"?");
  CHECK(only_text("\"part_of\": \"emtrk\"", "\"part_of\": \"segmentation\"") ==
        "/jobs/0/event/1/part_of names the model \"segmentation\", which is not in /models. /models has \"emtrk\".");
  CHECK(only_text("\"type\": \"t4\"", "\"type\": \"t5\"") ==
        "/servers/0/devices/type names the device type \"t5\", which is not in /devices. Did you mean \"t4\"?");
  CHECK(only_text("\"models\": [\"emtrk\"]", "\"models\": [\"emtrk\", \"emtr\"]") ==
        "/servers/0/models/1 names the model \"emtr\", which is not in /models. Did you mean \"emtrk\"?");
}

TEST_CASE("names that stand twice are refused at their second place") {
  CHECK(
      only_text("      ]\n    }\n  ],",
                "      ]\n    },\n { \"name\": \"reco\", \"site\": \"fnal\", \"count\": 1, \"event\": [{ \"cpu\": \"1 "
                "s\" }] } ],") == "/jobs/1/name is \"reco\", as is /jobs/0/name; give each its own name.");
  CHECK(refused_at("\"models\": [\"emtrk\"]", "\"models\": [\"emtrk\", \"emtrk\"]", "\"emtrk\"]",
                   "scenario.duplicate_name"));
}

TEST_CASE("a model needs a service law for every device it is placed on, and the law takes time") {
  CHECK(only_text("\"service\": { \"t4\":", "\"service\": { \"a100\":") ==
        "/servers/0/models/0 places \"emtrk\" on devices of type \"t4\", but /models/emtrk/service says nothing about "
        "that type; add { \"t4\": { \"per_item\": \"...\" } } there.");
  CHECK(only_text("\"32.2 us\"", "\"0 us\"") ==
        "/models/emtrk/service/t4 takes no time; give \"per_batch\" or \"per_item\" a duration above 0 s.");
}

TEST_CASE("a model that is called must be on a server, and the server within reach") {
  CHECK(only_text("\"models\": [\"emtrk\"] }", "\"models\": [\"other\"] }").starts_with("there are 2 complaints"));
  CHECK(only_text("[\"fnal\", \"iowa\"]", "[\"fnal\", \"purdue\"]") ==
        "/jobs/0/event/2/infer calls \"emtrk\" from \"fnal\" on server \"gke\" at \"iowa\", but no path of links joins "
        "the two sites; add { \"between\": [\"fnal\", \"iowa\"], \"bandwidth\": \"...\", \"rtt\": \"...\" } to "
        "/network/links.");
  CHECK(refused_at(
      "\"network\": {\n    \"links\": [{ \"between\": [\"fnal\", \"iowa\"], \"bandwidth\": \"100 Gbps\", \"rtt\": "
      "\"11.8 ms\" }]\n  },",
      "", "\"emtrk\", \"items\"", "scenario.missing_link"));
}

TEST_CASE("jobs and servers at one site need no link, and a link counts in both orders") {
  CHECK(complaints_about(sound_scenario_with("[\"fnal\", \"iowa\"]", "[\"iowa\", \"fnal\"]")).empty());
  std::string text = sound_scenario_with("\"site\": \"iowa\"", "\"site\": \"fnal\"");
  CHECK(complaints_about(text).empty());
}

TEST_CASE("two links between the same sites are refused") {
  CHECK(
      only_text("\"11.8 ms\" }]", "\"11.8 ms\" }, { \"between\": [\"iowa\", \"fnal\"], \"bandwidth\": \"1 Gbps\" }]") ==
      "/network/links/1 joins \"fnal\" and \"iowa\", as does /network/links/0; make one link of the two, with their "
      "bandwidths added.");
}

TEST_CASE("request sizes fit the event and the model") {
  CHECK(
      only_text("\"max_batch_size\": 65536", "\"max_batch_size\": 1000") ==
      "/jobs/0/event/2/request_batch puts 1,719 items into a request, but /models/emtrk/max_batch_size is 1,000; lower "
      "\"request_batch\" or raise that.");
  CHECK(only_text("\"items\": 55000, \"request_batch\": 1719", "\"items\": 70000") ==
        "/jobs/0/event/2/items puts 70,000 items into a request, but /models/emtrk/max_batch_size is 65,536; set "
        "\"request_batch\" or raise that.");
  CHECK(
      only_text("\"request_batch\": 1719", "\"request_batch\": 55001") ==
      "/jobs/0/event/2/request_batch is 55,001, more than the 55,000 items of an event; lower it, or leave it out for "
      "one request an event.");
  CHECK(refused_at("\"items\": 55000, \"request_batch\": 1719", "\"items\": 1000001, \"request_batch\": 1",
                   "1 }\n      ]", "scenario.too_many_requests"));
}

TEST_CASE("totals that no run can hold are refused") {
  CHECK(only_text("\"count\": 268", "\"count\": 1000001, \"threads\": 2") ==
        "/jobs/0 brings the event loops (jobs times threads) to 2,000,002; at most 2,000,000 are simulated.");
  CHECK(only_text("\"devices\": { \"type\": \"t4\", \"count\": 4 }",
                  "\"nodes\": 100000, \"devices\": { \"type\": \"t4\", \"count\": 11 }") ==
        "/servers/0 brings the devices to 1,100,000; at most 1,000,000 are simulated.");
}

TEST_CASE("an event that takes no time is refused") {
  CHECK(
      refused_at("{ \"cpu\": \"110 s\" },\n        { \"cpu\": \"7 s\", \"part_of\": \"emtrk\" },\n        { \"infer\": "
                 "\"emtrk\", \"items\": 55000, \"request_batch\": 1719 }",
                 "{ \"cpu\": \"0 s\" }", "[\n        { \"cpu\": \"0 s\" }", "scenario.no_time"));
}

TEST_CASE("servers that share a model spread its requests in the same way") {
  CHECK(
      only_text("\"models\": [\"emtrk\"] }\n",
                "\"models\": [\"emtrk\"] },\n{ \"name\": \"two\", \"site\": \"iowa\", \"devices\": { \"type\": \"t4\", "
                "\"count\": 1 }, \"models\": [\"emtrk\"], \"dispatch\": \"random\" }\n") ==
      "/servers/1 and /servers/0 both hold \"emtrk\" but spread its requests differently; give both the same "
      "\"dispatch\".");
}

TEST_CASE("the least number of repetitions is not above the greatest") {
  CHECK(only_text("\"seed\": 42", "\"min_replications\": 40") ==
        "/run/min_replications is 40, above max_replications, which is 32; lower the first or raise the second.");
  CHECK(refused_at("\"seed\": 42", "\"max_replications\": 2", "2 }\n}", "scenario.replications_order"));
}

TEST_CASE("a mistake in a section gives one complaint, not one for all that refers to it") {
  CHECK(refused_at("\"max_batch_size\": 65536", "\"max_batch_size\": \"many\"", "\"many\"", "scenario.wrong_type"));
  CHECK(refused_at("\"per_item\": \"32.2 us\"", "\"per_item\": 32.2", "32.2 }", "scenario.missing_unit"));
  CHECK(refused_at("\"devices\": { \"t4\": { \"kind\": \"gpu\" } }", "\"devices\": 3", "3,\n", "scenario.wrong_type"));
  CHECK(refused_at("\"models\": [\"emtrk\"]", "\"models\": 3", "3 }\n  ],", "scenario.wrong_type"));
  const std::vector<Override> no_models{{"/models", "7"}};
  const std::vector<Complaint> complaints = complaints_about(sound_scenario(), no_models);
  REQUIRE(complaints.size() == 1);
  CHECK(complaints[0].text == "/models is 7; an object in braces is needed, with names as keys.");
}

TEST_CASE("what is odd but not wrong gives a warning") {
  const auto cap = warnings_about("\"rtt\": \"11.8 ms\"", "\"per_flow\": \"200 Gbps\"");
  REQUIRE(cap.size() == 1);
  CHECK(cap[0].code == "scenario.per_flow_above_link");
  CHECK(cap[0].line == 24);
  const auto unused = warnings_about(
      "\"11.8 ms\" }]", "\"11.8 ms\" }, { \"between\": [\"fnal\", \"cern\"], \"bandwidth\": \"1 Gbps\" }]");
  REQUIRE(unused.size() == 1);
  CHECK(unused[0].text ==
        "/network/links/1/between/1 is \"cern\", where neither jobs nor servers are, and no other "
        "link leads on.");
}

}  // namespace saturn::tests
