#include "scenarios/inputs/scenario_places.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "scenarios/document/parse_document.hpp"
#include "scenarios/inputs/numeric_inputs.hpp"
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
  const ScenarioPlaces places(batching_with({}).resolved);
  CHECK(type_of(places.named("/jobs/0/count")).kind == PlaceKind::whole);
  const ScenarioPlaces sound(sound_with({}).resolved);
  CHECK(type_of(sound.named("/jobs/0/event/0/cpu")).kind == PlaceKind::quantity);
  CHECK(type_of(sound.named("/jobs/0/event/0/cpu")).dimension == Dimension::duration);
  CHECK(type_of(places.named("/models/tag/max_queue_delay")).dimension == Dimension::duration);
  CHECK(type_of(places.named("/models/tag/input")).dimension == Dimension::size);
  CHECK(type_of(places.named("/servers/0/devices/interference")).kind == PlaceKind::number);
  CHECK(type_of(places.named("/servers/0/devices/mig")).kind == PlaceKind::structure);
  CHECK(type_of(places.named("/models/tag/dynamic_batching")).kind == PlaceKind::flag);
  CHECK(type_of(places.named("/servers/0/balancing")).choices ==
        std::vector<std::string>{"per_request", "per_connection", "per_sequence", "central_queue"});
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
  const ScenarioPlaces places(batching_with({}).resolved);
  const std::vector<Override> below{{"/models/tag/max_batch_size", "1"}};
  CHECK(places.tried(below).complaints.empty());
  CHECK(places.tried(below).scenario->models.at("tag").max_batch_size == 1);
  const std::vector<Override> wrong{{"/models/tag/max_batch_size", "0"}, {"/models/tag/instances", "none"}};
  CHECK(places.tried(wrong).complaints ==
        std::vector<std::string>{"/models/tag/max_batch_size is 0; allowed is 1 to 1,000,000,000.",
                                 "/models/tag/instances is \"none\"; a whole number is needed, 1 to 1,024."});
}

namespace saturn::tests {

namespace {

std::vector<std::string> pointers_of(const std::vector<NumericInput>& inputs) {
  std::vector<std::string> pointers;
  for (const NumericInput& input : inputs) pointers.push_back(input.pointer);
  return pointers;
}

const NumericInput& at(const std::vector<NumericInput>& inputs, const std::string& pointer) {
  const auto found =
      std::find_if(inputs.begin(), inputs.end(), [&](const NumericInput& one) { return one.pointer == pointer; });
  REQUIRE_MESSAGE(found != inputs.end(), pointer);
  return *found;
}

const std::string hostile_names = R"({
  "title": "10 s", "jobs": [{ "name": "3 GB", "site": "1 Gbps", "count": 40, "event": [
    { "cpu": { "uniform": { "low": "1 s", "high": "3 s" } }, "label": "5 ms" },
    { "cpu": { "empirical": ["1 s", "2 s", "4 s"] }, "label": "0 s" },
    { "infer": "count", "items": { "values": [40, 60] }, "request_batch": 1719, "item_lengths": [0.5, 2] },
    { "infer": "a/b~c", "items": 3 }] }],
  "models": {
    "count": { "input": "9216 B", "output": "0 B", "max_batch_size": 100, "max_queue_delay": "1 ms",
      "service": { "per_item": { "scatter": "10 %", "points": [
        { "items": 1, "time": "4 ms", "device": "1 ms" }, { "items": 8, "time": "9 ms", "device": "2 ms" }] } } },
    "a/b~c": { "service": { "gpu": { "per_item": { "gamma": { "mean": "2 ms", "cv": 0.5 } } } } } },
  "devices": { "price": { "price": "0.35 USD/h" } },
  "run": { "window": "1 h", "precision": 0.01 } })";

bool is_number(const PlaceType& type) {
  return type.kind == PlaceKind::whole || type.kind == PlaceKind::number || type.kind == PlaceKind::quantity ||
         type.kind == PlaceKind::ratio;
}

}  // namespace

TEST_CASE("Inputs are called by the names of what they stand in, and a pool only where there are several") {
  const std::string pool = R"({ "name": "reco", "event": [
      { "cpu": "110 s", "label": "non-ML modules" }, { "infer": "emtrk", "items": 55000 } ] })";
  const std::string rest = R"(, "network": { "links": [
      { "between": ["fnal", "iowa"], "bandwidth": "100 Gbps", "rtt": "11.8 ms" } ] },
      "models": { "emtrk": { "service": { "t4": { "per_item": "32.2 us" } } } },
      "servers": [{ "name": "gke", "nic": "32 Gbps" }], "devices": { "t4": { "price": { "value": "0.35 USD/h" } } } })";
  const std::vector<NumericInput> alone = numeric_inputs("{ \"jobs\": [" + pool + "]" + rest);
  CHECK(at(alone, "/jobs/0/event/0/cpu").words == "non-ML modules cpu");
  CHECK(at(alone, "/jobs/0/event/1/items").words == "emtrk items");
  CHECK(at(alone, "/network/links/0/rtt").words == "fnal to iowa rtt");
  CHECK(at(alone, "/models/emtrk/service/t4/per_item").words == "emtrk service t4 per item");
  CHECK(at(alone, "/servers/0/nic").words == "gke nic");
  CHECK(at(alone, "/devices/t4/price/value").words == "t4 price");
  const std::vector<NumericInput> two = numeric_inputs("{ \"jobs\": [" + pool + ", " + pool + "]" + rest);
  CHECK(at(two, "/jobs/1/event/1/items").words == "reco emtrk items");
}

TEST_CASE("Inputs are the numbers that somebody measured, wherever names look like numbers or like keys") {
  const std::vector<NumericInput> inputs = numeric_inputs(hostile_names);
  CHECK(pointers_of(inputs) ==
        std::vector<std::string>{"/jobs/0/event/0/cpu/uniform", "/jobs/0/event/1/cpu/empirical",
                                 "/jobs/0/event/2/items/values", "/jobs/0/event/2/item_lengths",
                                 "/jobs/0/event/3/items", "/models/count/input",
                                 "/models/count/service/per_item/scatter", "/models/count/service/per_item/points",
                                 "/models/a~1b~0c/service/gpu/per_item/gamma/mean",
                                 "/models/a~1b~0c/service/gpu/per_item/gamma/cv", "/devices/price/price"});
  CHECK(shown_value(at(inputs, "/jobs/0/event/0/cpu/uniform")) == "1 s to 3 s");
  CHECK(shown_value(at(inputs, "/models/count/service/per_item/points")) == "2 points");
  CHECK(is_coarse(at(inputs, "/jobs/0/event/3/items")));
  CHECK_FALSE(is_coarse(at(inputs, "/jobs/0/event/2/items/values")));
  CHECK_FALSE(at(inputs, "/devices/price/price").simulated);
}

TEST_CASE("A scaled input keeps its unit, and lists and points move as a whole, whole numbers in steps") {
  const std::vector<NumericInput> inputs = numeric_inputs(hostile_names);
  const auto doubled = [&](const std::string& pointer, double factor = 2.0) {
    return scaled(at(inputs, pointer), factor)->change.value;
  };
  CHECK(doubled("/models/count/input") == "18432 B");
  CHECK(doubled("/models/count/service/per_item/scatter") == "20 %");
  CHECK(doubled("/models/a~1b~0c/service/gpu/per_item/gamma/cv") == "1");
  CHECK(doubled("/jobs/0/event/0/cpu/uniform") == R"({"high":"6 s","low":"2 s"})");
  CHECK(doubled("/jobs/0/event/1/cpu/empirical") == R"(["2 s","4 s","8 s"])");
  CHECK(doubled("/models/count/service/per_item/points") ==
        R"([{"device":"2 ms","items":1,"time":"8 ms"},{"device":"4 ms","items":8,"time":"18 ms"}])");
  CHECK(doubled("/jobs/0/event/2/items/values", 1.02) == "[41,61]");
  CHECK(scaled(at(inputs, "/jobs/0/event/2/items/values"), 1.02)->factor == doctest::Approx(1.02));
  CHECK(doubled("/jobs/0/event/3/items", 1.001) == "4");
  CHECK(scaled(at(inputs, "/jobs/0/event/3/items"), 0.999)->factor == doctest::Approx(2.0 / 3.0));
  CHECK_FALSE(scaled(at(inputs, "/jobs/0/event/2/items/values"), 1.001));
}

TEST_CASE("Every input of every shipped scenario can be varied, and the reader takes it in its own place") {
  for (const EmbeddedFile& shipped : shipped_scenarios()) {
    CAPTURE(shipped.name);
    const ReadScenario read = read_scenario_file(std::string(shipped.name), {});
    const std::vector<NumericInput> inputs = numeric_inputs(read.resolved);
    CHECK(inputs.size() >= 2);
    for (const NumericInput& input : inputs) {
      CAPTURE(input.pointer);
      const auto change = scaled(input, 0.99);
      if (!change) {
        CHECK(is_coarse(input));
        continue;
      }
      CHECK_NOTHROW(read.again(std::vector<Override>{change->change}));
    }
  }
}

TEST_CASE("A document that is no scenario has no inputs") {
  for (const char* text : {"", "{", "[]", "7", R"({"jobs": "10 s"})", R"({"jobs": [[]]})",
                           R"({"jobs": [{"event": [{"cpu": "-"}, {"cpu": 1e999}, {"cpu": null}]}]})"})
    CHECK(numeric_inputs(text).empty());
}

TEST_CASE("Each numeric field of a scenario is either an input or known to be none") {
  const std::set<std::string> none{
      // chosen by a planner, or part of what is built
      "/jobs/*/count", "/jobs/*/threads", "/jobs/*/streams", "/jobs/*/start_over", "/jobs/*/buffer",
      "/jobs/*/event/*/request_batch", "/jobs/*/event/*/deadline", "/jobs/*/event/*/in_flight",
      "/jobs/*/event/*/priority", "/models/*/max_batch_size", "/models/*/instances", "/models/*/max_queue_delay",
      "/models/*/priority_levels", "/models/*/default_priority_level", "/models/*/queue_policy/max_queue_size",
      "/models/*/queue_policy/timeout", "/models/*/service/*/turns", "/servers/*/nodes", "/servers/*/batch_workers",
      "/servers/*/devices/count", "/network/sites/*/cores", "/models/*/memory", "/devices/*/memory",
      // how a scenario is simulated
      "/run/seed", "/run/precision", "/run/confidence", "/run/min_replications", "/run/max_replications", "/run/cycles",
      "/run/window"};
  const ScenarioPlaces places(read_scenario_file("cms-cross-site", {}).resolved);
  std::set<std::string> found;
  std::size_t inputs = 0;
  for (const std::string& pattern : places.patterns()) {
    for (const NamedPlace& one : places.named(pattern).places) {
      if (!is_number(one.type)) continue;
      if (one.input == InputRole::measured || one.input == InputRole::costed)
        ++inputs;
      else
        found.insert(pattern);
    }
  }
  CHECK(inputs > 20);
  for (const std::string& pattern : found) {
    CAPTURE(pattern);
    CHECK(none.count(pattern) == 1);
  }
}

}  // namespace saturn::tests
