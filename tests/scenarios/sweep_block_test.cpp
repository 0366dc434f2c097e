#include <doctest/doctest.h>

#include "scenarios/sweep_space.hpp"
#include "tests/scenarios/scenario_samples.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

std::string with_sweep(const std::string& block) {
  return sound_scenario_with("  \"run\": { \"seed\": 42 }", "  \"run\": { \"seed\": 42 },\n  \"sweep\": " + block);
}

const std::string block_of_counts = R"({ "axes": ["/jobs/0/count=1:8:x2", "/network/links/0/rtt=1ms,2ms"],
    "where": ["count < 5"], "sample": 3, "sampling": "random" })";

}  // namespace

TEST_CASE("a sweep may stand in the scenario, and options take its place part by part") {
  const ReadScenario read = read_scenario_text(with_sweep(block_of_counts), "s.json", {});
  const SweepText asked = asked_sweep({}, read);
  CHECK(asked.axes.size() == 2);
  CHECK(asked.where == std::vector<std::string>{"count < 5"});
  CHECK(asked.sample == 3);
  CHECK(asked.sampling == Sampling::random);
  CHECK(sweep_space(asked, read).size() == 3);

  const SweepText other = asked_sweep({.axes = {"/jobs/0/count=1,2"}}, read);
  CHECK(other.where.empty());
  CHECK_FALSE(other.sample.has_value());
  const SweepText thinned = asked_sweep({.axes = {}, .where = {"count > 1"}, .sample = 2}, read);
  CHECK(thinned.axes.size() == 2);
  CHECK(thinned.where == std::vector<std::string>{"count > 1"});
  CHECK(thinned.sample == 2);
  CHECK(thinned.sampling == Sampling::latin_hypercube);
}

TEST_CASE("the sweep block changes neither the resolved scenario nor that of a point") {
  const ReadScenario with = read_scenario_text(with_sweep(block_of_counts), "s.json", {});
  const ReadScenario without = read_scenario_text(sound_scenario(), "s.json", {});
  CHECK(with.resolved == without.resolved);
  const std::vector<Override> settings{{"/jobs/0/count", "7"}};
  CHECK(with.resolved_again(settings) == without.resolved_again(settings));
  CHECK_FALSE(with.again(settings).sweep.has_value());
}

TEST_CASE("complaints about the block show where it stands in the file") {
  const std::string text = with_sweep(R"({ "axes": ["/jobs/0/count=1,2", "/jobs/0/cuont=1"],
    "where": [
      "count <"
    ], "sample": 300 })");
  const ReadScenario read = read_scenario_text(text, "s.json", {});
  std::vector<Complaint> complaints;
  try {
    sweep_space(asked_sweep({}, read), read);
  } catch (const InputError& error) {
    complaints = error.complaints();
  }
  REQUIRE(complaints.size() == 1);
  CHECK(complaints[0].source == "s.json");
  CHECK(places_and_codes(complaints) == place_of(text, "\"/jobs/0/cuont") + " sweep.unknown_pointer");

  const std::string conditions =
      with_sweep(R"({ "axes": ["/jobs/0/count=1,2"], "where": ["count <"], "sample": 300 })");
  const ReadScenario second = read_scenario_text(conditions, "s.json", {});
  try {
    sweep_space(asked_sweep({}, second), second);
  } catch (const InputError& error) {
    CHECK(places_and_codes(error.complaints()) == place_of(conditions, "\"count <") + " sweep.bad_condition");
  }
  const ReadScenario third = read_scenario_text(conditions, "s.json", std::vector<Override>{{"/sweep/where", "[]"}});
  try {
    sweep_space(asked_sweep({}, third), third);
    FAIL("a sample of 300 out of 2 combinations was drawn");
  } catch (const InputError& error) {
    CHECK(places_and_codes(error.complaints()) == place_of(conditions, "300") + " sweep.bad_sample");
  }
}

TEST_CASE("the reader refuses a block that is none") {
  CHECK(complaints_about(with_sweep("{}")).at(0).code == "scenario.missing_key");
  CHECK(complaints_about(with_sweep(R"({ "axes": [] })")).at(0).text ==
        "/sweep/axes has 0 elements; 1 to 100 are needed.");
  CHECK(complaints_about(with_sweep(R"({ "axes": ["/a=1"], "sampling": "latin" })")).at(0).text ==
        "/sweep/sampling is \"latin\"; allowed is \"latin_hypercube\" or \"random\".");
  CHECK(complaints_about(with_sweep(R"({ "axes": ["/a=1"], "sample": 0 })")).at(0).text ==
        "/sweep/sample is 0; allowed is 1 to 10,000,000.");
}
