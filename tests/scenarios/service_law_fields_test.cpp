#include <doctest/doctest.h>

#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

constexpr const char* law_at = "/models/tag/service/t4";

std::string only_text_of_law(const std::string& law, std::vector<Override> changes = {}) {
  changes.push_back({law_at, law});
  return only_text_with(changes);
}

ServiceLaw law_of(const std::string& law) {
  return read_scenario_text(batching_scenario(), "s.json", std::vector<Override>{{law_at, law}})
      .scenario.models.at("tag")
      .service.at("t4");
}

const std::string points =
    R"("points": [{ "items": 1, "time": "2 ms" }, { "items": 16, "time": "8 ms" }, { "items": 32, "time": "8 ms" }])";

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

TEST_CASE("a law that falls to less than half, repeats a size or has one point is refused") {
  CHECK(only_text_of_law(R"({ "points": [{ "items": 8, "time": "5 ms" }, { "items": 1, "time": "2 ms" }, { "items": 32,
                              "time": "2.4 ms" }] })") ==
        "/models/tag/service/t4/points/2 takes 2.4 ms for 32 items, less than /models/tag/service/t4/points/0, which "
        "takes "
        "5 ms for 8; a larger batch does not take less time: measure the two again, or leave one out.");
  CHECK(
      only_text_of_law(R"({ "points": [{ "items": 8, "time": "5 ms" }, { "items": 1, "time": "2 ms" }, { "items": 8,
                              "time": "5.1 ms" }] })") ==
      "/models/tag/service/t4/points/2 gives the time of 8 items a second time, after /models/tag/service/t4/points/0; "
      "keep one of the two, or their mean.");
  CHECK(only_text_of_law(R"({ "points": [{ "items": 8, "time": "5 ms" }] })") ==
        "/models/tag/service/t4/points has 1 element; 2 to 1,000 are needed.");
  CHECK(
      only_text_of_law("{ \"per_batch\": \"1 ms\", " + points + " }") ==
      "/models/tag/service/t4 has both \"points\" and \"per_batch\"; a law is either measured points, or per_batch and "
      "per_item: leave one out.");
  CHECK(only_text_of_law("{ \"pionts\": 3 }").ends_with("did you mean \"points\"?"));
  CHECK(only_text_of_law("{}") ==
        "/models/tag/service/t4 takes no time; give \"per_batch\" or \"per_item\" a duration above 0 s.");
}

TEST_CASE(
    "measured times that fall a little share their mean, and batches dearer than several smaller ones are named") {
  const auto read = [](const std::string& law) {
    return read_scenario_text(batching_scenario(), "s.json", std::vector<Override>{{law_at, law}});
  };
  const ReadScenario falls = read(
      R"({ "points": [{ "items": 2, "time": "4 ms" }, { "items": 1, "time": "5 ms" }, { "items": 32, "time": "8 ms" }] })");
  // For equal relative errors the mean of 5 and 4 is (1/5 + 1/4)/(1/25 + 1/16) = 180/41.
  const std::vector<MeasuredPoint>& points = falls.scenario.models.at("tag").service.at("t4").points;
  CHECK(points[0].time.value == doctest::Approx(180e-3 / 41.0));
  CHECK(points[1].time == points[0].time);
  CHECK(points[2].time == Seconds{8e-3});
  REQUIRE(falls.warnings.size() == 1);
  CHECK(falls.warnings[0].code == "scenario.law_falls");
  CHECK(falls.warnings[0].text.starts_with(
      "/models/tag/service/t4/points takes 0.005 s and 0.004 s for 1 and 2 items: no smaller batch takes longer"));
  CHECK(falls.warnings[0].text.find("4.390244 ms, is taken") != std::string::npos);

  const ReadScenario dear = read(
      R"({ "points": [{ "items": 1, "time": "28.9 ms" }, { "items": 2, "time": "50 ms" }, { "items": 4, "time": "190 ms" },
                      { "items": 32, "time": "800 ms" }] })");
  REQUIRE(dear.warnings.size() == 1);
  CHECK(dear.warnings[0].code == "scenario.law_dear_batch");
  CHECK(dear.warnings[0].text.starts_with(
      "/models/tag/service/t4/points: T(4) = 190 ms is 1.9 times as long as 2 batches of 2, "));
}

TEST_CASE("measured points may say the device's part, all of them or none") {
  const ServiceLaw law = law_of(
      R"({ "points": [{ "items": 1, "time": "2 ms", "device": "1.5 ms" }, { "items": 32, "time": "8 ms", "device": "8 ms" }],
           "turns": 3 })");
  CHECK(law.points[0].device == Seconds{1.5e-3});
  CHECK(law.turns == 3);
  const std::string first = R"({ "points": [{ "items": 1, "time": "2 ms", "device": "1.5 ms" }, )";
  CHECK(
      only_text_of_law(first + R"({ "items": 32, "time": "8 ms" }] })") ==
      "/models/tag/service/t4/points/1 lacks \"device\", which other points have; give it for all points or for none.");
  CHECK(only_text_of_law(first + R"({ "items": 32, "time": "8 ms", "device": "8.1 ms" }] })") ==
        "/models/tag/service/t4/points/1/device is \"8.1 ms\", above time, which is \"8 ms\"; it is a part of that: "
        "lower "
        "it.");
  CHECK(
      only_text_of_law(first + R"({ "items": 32, "time": "8 ms", "device": "1 ms" }] })") ==
      "/models/tag/service/t4/points/1 occupies the device 1 ms for 32 items, less than "
      "/models/tag/service/t4/points/0, "
      "which occupies the device 1.5 ms for 1; a larger batch does not take less time: measure the two again, or leave "
      "one out.");
  CHECK(only_text_of_law(first + R"({ "items": 32, "time": "8 ms", "device": "8 ms" }], "host": {} })") ==
        "/models/tag/service/t4 has \"host\" beside points that say their \"device\" part, which leaves the host part; "
        "leave "
        "one of the two out.");
}

TEST_CASE("no batch goes beyond twice the largest measured point") {
  const std::string law = "{ " + points + " }";
  const Override dynamic{"/models/tag/dynamic_batching", "true"};
  CHECK(complaints_about(batching_scenario(), {{law_at, law}, dynamic}).empty());
  CHECK(only_text_of_law(law, {dynamic, {"/models/tag/max_batch_size", "65"}}) ==
        "/models/tag/max_batch_size is 65, more than twice the largest measured point of /models/tag/service/t4, 32 "
        "items; "
        "what a batch above 64 takes is not known: measure a larger one, or lower the size.");
  CHECK(
      only_text_of_law(law, {dynamic, {"/jobs/0/event/1/item_lengths", "[0.5, 1.5]"}}) ==
      "/models/tag/max_batch_size is 64, of items of length up to 1.5, more than twice the largest measured point of "
      "/models/tag/service/t4, 32 items; what a batch above 64 takes is not known: measure a larger one, or lower the "
      "size.");
  // Without the dynamic batcher a batch is a request.
  CHECK(complaints_about(batching_scenario(), {{law_at, law}, {"/models/tag/max_batch_size", "6500"}}).empty());
  CHECK(
      only_text_of_law(law, {{"/jobs/0/event/1/item_lengths", "[0.5, 9]"}}) ==
      "/jobs/0/event/1/request_batch makes requests of 8 items of length up to 9, more than twice the largest measured "
      "point of /models/tag/service/t4, 32 items; what a batch above 64 takes is not known: measure a larger one, or "
      "lower the size.");
  CHECK(only_text_of_law(R"({ "points": [{ "items": 1, "time": "1 ms" }, { "items": 8, "time": "2 ms" }] })") ==
        "/jobs/0/event/0/items makes requests of 32 items, more than twice the largest measured point of "
        "/models/tag/service/t4, 8 items; what a batch above 16 takes is not known: measure a larger one, or lower the "
        "size.");
}

TEST_CASE("the host part stays within the whole time, for every batch size") {
  CHECK(only_text_of_law("{ " + points + R"(, "host": { "per_batch": "3 ms" } })") ==
        "/models/tag/service/t4/host takes 0.003 s of a batch of 1, but the whole batch takes 0.002 s; the host part "
        "is contained in T(b) and leaves the device a part: lower it.");
  CHECK(only_text_of_law(R"({ "per_batch": "1 ms", "per_item": "1 us", "host": { "per_item": "60 us" } })") ==
        "/models/tag/service/t4/host takes 0.00192 s of a batch of 32, but the whole batch takes 0.001032 s; the host "
        "part is contained in T(b) and leaves the device a part: lower it.");
  // Fits at both ends, but not at the point between them.
  CHECK(
      only_text_of_law(
          R"({ "points": [{ "items": 1, "time": "2 ms" }, { "items": 4, "time": "2 ms" }, { "items": 32, "time": "30 ms" }],
                 "host": { "per_batch": "1 ms", "per_item": "500 us" } })") ==
      "/models/tag/service/t4/host takes 0.003 s of a batch of 4, but the whole batch takes 0.002 s; the host part is "
      "contained in T(b) and leaves the device a part: lower it.");
}

TEST_CASE("a law is read from its own file, and its mistakes are shown there") {
  const ScratchFolder folder;
  const std::string law = "{\n  \"source\": \"a fit\",\n  " + points + "\n}\n";
  folder.write("law.json", law);
  const std::vector<Override> changes{{law_at, R"({ "file": "law.json" })"}};
  const auto read = [&] { return read_scenario_text(batching_scenario(), folder.path("s.json"), changes); };
  const ReadScenario scenario = read();
  CHECK(scenario.scenario.models.at("tag").service.at("t4").points.size() == 3);
  // What was resolved needs the file no more.
  const ReadScenario again = read_scenario_text(scenario.resolved, "elsewhere.json", {});
  CHECK(again.scenario.models.at("tag").service.at("t4").points.size() == 3);
  CHECK(again.resolved == scenario.resolved);

  const auto blame = [&](const std::string& text) {
    folder.write("law.json", text);
    try {
      read();
    } catch (const InputError& error) {
      return error.complaints().front();
    }
    return Complaint{};
  };
  const std::string wrong = law.substr(0, law.find("8 ms")) + "800" + law.substr(law.find("8 ms") + 4);
  const Complaint unit = blame(wrong);
  CHECK(unit.source == folder.path("law.json"));
  CHECK(std::to_string(unit.line) + ":" + std::to_string(unit.column) == place_of(wrong, "\"800\""));
  CHECK(unit.text ==
        "/models/tag/service/t4/points/1/time is \"800\"; a duration needs its unit, for example \"800 ms\".");
  CHECK(blame("{ \"points\": [").code == "scenario.syntax");
  CHECK(blame(R"({ "file": "law.json" })").text == "A law file holds the law itself, not the name of another file.");
  CHECK(blame("").code == "scenario.empty_file");
  CHECK(blame("[]").text == "/models/tag/service/t4 is an empty list; a service law in braces is needed.");
  CHECK(
      only_text_of_law(R"({ "file": "no/such.json" })") ==
      "/models/tag/service/t4/file names \"no/such.json\", but there is no such file. Name a file with a service law, "
      "relative to this file, or write the law here.");
  CHECK(
      only_text_of_law(R"({ "file": "law.json", "scatter": 0.1 })") ==
      "/models/tag/service/t4 has other keys beside \"file\"; the file holds the whole law: leave out \"file\" or the "
      "others.");
}

}  // namespace saturn::tests
