#include "scenarios/scenario_places.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "scenarios/node_text.hpp"
#include "scenarios/parse_document.hpp"
#include "scenarios/read_scenario.hpp"
#include "tests/scenarios/scenario_samples.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

const PlaceType& type_of(const NamedPlaces& named) {
  REQUIRE(named.places.size() == 1);
  return named.places.front().type;
}

}  // namespace

TEST_CASE("every value of every shipped scenario stands at a place of which the type is known, and may be set again") {
  for (const EmbeddedFile& file : shipped_scenarios()) {
    CAPTURE(file.name);
    const ReadScenario read = read_scenario_file(std::string(file.name), {});
    const ScenarioPlaces places(read.resolved);
    Document document;
    document.root = parse_document(read.resolved, 0).root;
    CHECK(places.tried({}).scenario.has_value());
    std::vector<Override> again;
    for (const std::string& pattern : places.patterns()) {
      const NamedPlaces named = places.named(pattern);
      CAPTURE(pattern);
      CHECK(named.fault.empty());
      CHECK_FALSE(named.places.empty());
      for (const NamedPlace& place : named.places) {
        CHECK(place.type.kind != PlaceKind::structure);
        const Node& node = document.nearest(place.pointer);
        if (place.present) again.push_back({place.pointer, override_text(node)});
      }
    }
    CHECK(again.size() > 10);
    CHECK(places.tried(again).complaints == std::vector<std::string>{});
    CHECK_NOTHROW(read.again(again));
  }
}

TEST_CASE("the type of a place is that of the field table, also where the scenario says nothing yet") {
  const ScenarioPlaces places(read_scenario_text(batching_scenario(), "s.json", {}).resolved);
  CHECK(type_of(places.named("/jobs/0/count")).kind == PlaceKind::whole);
  const ScenarioPlaces sound(read_scenario_text(sound_scenario(), "s.json", {}).resolved);
  CHECK(type_of(sound.named("/jobs/0/event/0/cpu")).kind == PlaceKind::quantity);
  CHECK(type_of(sound.named("/jobs/0/event/0/cpu")).dimension == Dimension::duration);
  CHECK(type_of(places.named("/models/tag/max_queue_delay")).dimension == Dimension::duration);
  CHECK(type_of(places.named("/models/tag/input")).dimension == Dimension::size);
  CHECK(type_of(places.named("/servers/0/devices/interference")).kind == PlaceKind::number);
  CHECK(type_of(places.named("/servers/0/devices/mig")).kind == PlaceKind::structure);
  CHECK(type_of(places.named("/models/tag/dynamic_batching")).kind == PlaceKind::flag);
  CHECK(type_of(places.named("/servers/0/balancing")).choices ==
        std::vector<std::string>{"per_request", "per_connection", "central_queue"});
  CHECK(type_of(places.named("/devices/t4/price")).dimension == Dimension::price);
  CHECK_FALSE(places.named("/models/tag/max_queue_delay").places.front().present);
  CHECK(places.named("/models/*/input").places.size() > 2);
}

TEST_CASE("what a setting would make is a place, what has to be given in the scenario first is none") {
  const std::string text =
      R"({"schema": "saturn-scenario/1", "title": "t", "jobs": [{"name": "a", "site": "s", "count": 1,
          "event": [{"cpu": "1 s", "label": "work"}]}]})";
  const ScenarioPlaces places(read_scenario_text(text, "s.json", {}).resolved);
  CHECK(type_of(places.named("/run/seed")).kind == PlaceKind::whole);
  CHECK(type_of(places.named("/costs/electricity")).kind == PlaceKind::quantity);
  CHECK(read_scenario_text(text, "s.json", std::vector<Override>{{"/run/seed", "7"}}).scenario.run.seed == 7);
  CHECK(places.named("/jobs/0/arrivals/rate").fault ==
        "/jobs/0/arrivals is not there yet; give it in the scenario, or with --set, first.");
}

TEST_CASE("settings are tried against the fields alone, not against each other") {
  const ScenarioPlaces places(read_scenario_text(batching_scenario(), "s.json", {}).resolved);
  const std::vector<Override> below{{"/models/tag/max_batch_size", "1"}};
  CHECK(places.tried(below).complaints.empty());
  CHECK(places.tried(below).scenario->models.at("tag").max_batch_size == 1);
  const std::vector<Override> wrong{{"/models/tag/max_batch_size", "0"}, {"/models/tag/instances", "none"}};
  CHECK(places.tried(wrong).complaints ==
        std::vector<std::string>{"/models/tag/max_batch_size is 0; allowed is 1 to 1,000,000,000.",
                                 "/models/tag/instances is \"none\"; a whole number is needed, 1 to 1,024."});
}
