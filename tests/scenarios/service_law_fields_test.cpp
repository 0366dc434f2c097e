#include <doctest/doctest.h>

#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

constexpr const char* law_at = "/models/tag/service/t4";

ServiceLaw law_of(const std::string& law) {
  return batching_with({{law_at, law}}).scenario.models.at("tag").service.at("t4");
}

}  // namespace

TEST_CASE("a law through measured points is read in the order of the sizes, with scatter and host part") {
  const ServiceLaw law = law_of(
      R"({ "points": [{ "items": 32, "time": "8 ms" }, { "items": 1, "time": "2 ms" }], "scatter": "5 %",
           "host": { "per_batch": "1.5 ms", "per_item": "2 us" }, "source": "by hand" })");
  REQUIRE(law.points.size() == 2);
  CHECK(law.points[0].items == 1.0);
  CHECK(law.points[0].time == Seconds{2e-3});
  CHECK(law.points[1].items == 32.0);
  CHECK(law.scatter == 0.05);
  CHECK(law.host.per_batch == Seconds{1.5e-3});
  CHECK(law.host.per_item == Seconds{2e-6});
}

TEST_CASE("measured times that fall a little share their mean") {
  const ServiceLaw falls = law_of(
      R"({ "points": [{ "items": 2, "time": "4 ms" }, { "items": 1, "time": "5 ms" }, { "items": 32, "time": "8 ms" }] })");
  // For equal relative errors the mean of 5 and 4 is (1/5 + 1/4)/(1/25 + 1/16) = 180/41.
  CHECK(falls.points[0].time.value == doctest::Approx(180e-3 / 41.0));
  CHECK(falls.points[1].time == falls.points[0].time);
  CHECK(falls.points[2].time == Seconds{8e-3});
}

TEST_CASE("measured points may say the device's part, all of them or none") {
  const ServiceLaw law = law_of(
      R"({ "points": [{ "items": 1, "time": "2 ms", "device": "1.5 ms" }, { "items": 32, "time": "8 ms", "device": "8 ms" }],
           "turns": 3 })");
  CHECK(law.points[0].device == Seconds{1.5e-3});
  CHECK(law.turns == 3);
}

TEST_CASE("a law's times are divided by its speed, host part included, and batches are padded to the sizes in order") {
  const ServiceLaw law = law_of(
      R"({ "per_batch": "2 ms", "per_item": "60 us", "host": { "per_batch": "1 ms" }, "speed": 0.5,
           "padded_to": [64, 8], "per_request": "50 us" })");
  CHECK(law.speed == 0.5);
  CHECK(law.per_request == Seconds{100e-6});
  CHECK(mean(law, 8.0).value == doctest::Approx(4e-3 + 8 * 120e-6));
  CHECK(law.host.per_batch == Seconds{2e-3});
  CHECK(law.padded_to == std::vector<double>{8.0, 64.0});
  const ServiceLaw doubled = law_of(R"({ "per_item": "60 us", "padded_to": "powers_of_two" })");
  CHECK(doubled.padded_to.front() == 1.0);
  CHECK(padded_items(doubled, 33.0) == 64.0);
  CHECK(padded_items(doubled, 1e9) == 1073741824.0);
}

TEST_CASE("a law says what its numbers rest on, or nothing") {
  CHECK_FALSE(law_of(R"({ "per_item": "60 us" })").rests_on);
  CHECK(law_of(R"({ "per_item": "60 us", "rests_on": "synthetic" })").rests_on == LawBasis::synthetic);
  CHECK(law_of(R"({ "per_item": "60 us", "rests_on": "assumed", "speed": 2 })").rests_on == LawBasis::assumed);
}

TEST_CASE("a law is read from its own file, and then needed no more") {
  const ScratchFolder folder("law.json", R"({ "source": "a fit", "points": [
      { "items": 1, "time": "2 ms" }, { "items": 16, "time": "8 ms" }, { "items": 32, "time": "8 ms" }] })");
  const ReadScenario scenario = batching_with({{law_at, R"({ "file": "law.json" })"}}, folder.path("s.json"));
  CHECK(scenario.scenario.models.at("tag").service.at("t4").points.size() == 3);
  // What was resolved needs the file no more.
  const ReadScenario again = read_scenario_text(scenario.resolved, "elsewhere.json", {});
  CHECK(again.scenario.models.at("tag").service.at("t4").points.size() == 3);
  CHECK(again.resolved == scenario.resolved);
}

}  // namespace saturn::tests
