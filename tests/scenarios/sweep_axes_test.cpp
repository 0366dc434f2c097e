#include <doctest/doctest.h>

#include "models/words/numbers.hpp"
#include "scenarios/sweep/sweep_space.hpp"
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

namespace {

const ReadScenario& sound() {
  static const ReadScenario read = read_scenario_text(sound_scenario(), "s.json", {});
  return read;
}

const ReadScenario& batching() {
  static const ReadScenario read = read_scenario_text(batching_scenario(), "s.json", {});
  return read;
}

/// Texts and numbers of a column: "0.5 ms (0.0005)", joined by " | ".
std::string column_text(const SweepSpace& space, std::size_t column) {
  std::string text;
  for (std::uint64_t point = 0; point < space.size(); ++point) {
    const AxisCell cell = space.cells(point).at(column);
    text += (point == 0 ? "" : " | ") + cell.text;
    if (cell.number) text += " (" + shortest(*cell.number) + ")";
  }
  return text;
}

std::string only_column(const std::string& axis, const ReadScenario& read = sound()) {
  return column_text(sweep_space({.axes = {axis}}, read), 0);
}

/// "source: code text" of each complaint, one a line.
std::string complaints_of(const SweepText& text, const ReadScenario& read = sound()) {
  try {
    sweep_space(text, read);
  } catch (const InputError& error) {
    std::string all;
    for (const Complaint& complaint : error.complaints())
      all += (all.empty() ? "" : "\n") + complaint.source + ": " + complaint.code + " " + complaint.text;
    return all;
  }
  return "none";
}

std::string complaint_of_axis(const std::string& axis, const ReadScenario& read = sound()) {
  const std::string all = complaints_of({.axes = {axis}}, read);
  const std::string source = "--axis " + axis + ": ";
  return all.starts_with(source) ? all.substr(source.size()) : all;
}

std::vector<std::string> names_of(const std::vector<std::string>& axes, const ReadScenario& read = batching()) {
  std::vector<std::string> heads;
  for (const AxisColumn& column : sweep_space({.axes = axes}, read).columns()) heads.push_back(column.head());
  return heads;
}

}  // namespace

TEST_CASE("an axis is a list, a linear range or a geometric one, of whole numbers, quantities, ratios or words") {
  CHECK(only_column("/jobs/0/count=1,8,1000000") == "1 (1) | 8 (8) | 1000000 (1000000)");
  CHECK(only_column("/jobs/0/count=2:4") == "2 (2) | 3 (3) | 4 (4)");
  CHECK(only_column("/models/emtrk/max_batch_size=2048:65536:x4") == "2048 (2048) | 8192 (8192) | 32768 (32768)");
  CHECK(only_column("/network/links/0/rtt=0.1ms:1ms:log3") == "0.1 ms (0.0001) | 0.3162 ms (0.0003162) | 1 ms (0.001)");
  CHECK(only_column("/network/links/0/bandwidth=1 Gbps, 80 Mbps") == "1 Gbps (125000000) | 80 Mbps (10000000)");
  CHECK(only_column("/models/emtrk/input=1 KiB,9216 B") == "1 KiB (1024) | 9216 B (9216)");
  CHECK(only_column("/run/precision=1 %,0.05") == "1 % (0.01) | 0.05 (0.05)");
  CHECK(only_column("/devices/t4/price=0.35 USD/h") == "0.35 USD/h (0.35)");
  CHECK(only_column("/devices/t4/power=70 W:280 W:x2") == "70 W (70) | 140 W (140) | 280 W (280)");
  CHECK(only_column("/servers/0/dispatch=round_robin,least_outstanding") == "round_robin | least_outstanding");
  CHECK(only_column("/models/emtrk/dynamic_batching=true,false") == "true | false");
}

TEST_CASE("columns are headed by their last key and SI unit, and by more keys where two would be the same") {
  CHECK(names_of({"/models/tag/input=1 kB,2 kB", "/jobs/0/count=1,2"}) ==
        std::vector<std::string>{"input_bytes", "count"});
  CHECK(names_of({"/models/tag/input=1 kB,2 kB with /models/clean/input=1 kB,2 kB", "/jobs/0/count=1"}) ==
        std::vector<std::string>{"tag.input_bytes", "clean.input_bytes", "count"});
  CHECK(names_of({"/jobs/0/count=1,2", "/servers/0/devices/count=1,2"}) ==
        std::vector<std::string>{"jobs.0.count", "devices.count"});
  CHECK(names_of({"/network/links/0/rtt=1ms", "/network/links/0/bandwidth=1 Gbps", "/devices/t4/power=1 W",
                  "/devices/t4/price=1 USD/h", "/costs/electricity=1 USD/MWh"},
                 read_scenario_text(sound_scenario(), "s.json", std::vector<Override>{{"/costs", "{}"}})) ==
        std::vector<std::string>{"rtt_s", "bandwidth_bytes_per_s", "power_w", "price_usd_per_h",
                                 "electricity_usd_per_kwh"});
}

TEST_CASE("axes are crossed, the last one running fastest, and zipped places run along with each other") {
  const SweepSpace space = sweep_space({.axes = {"/jobs/0/count=1,2,3",
                                                 "/models/emtrk/max_batch_size=2000,4000 with "
                                                 "/network/links/0/rtt=1ms,2ms"}},
                                       sound());
  REQUIRE(space.size() == 6);
  CHECK(column_text(space, 0) == "1 (1) | 1 (1) | 2 (2) | 2 (2) | 3 (3) | 3 (3)");
  CHECK(column_text(space, 1) == "2000 (2000) | 4000 (4000) | 2000 (2000) | 4000 (4000) | 2000 (2000) | 4000 (4000)");
  CHECK(space.steps(3) == std::vector<std::uint32_t>{1, 1});
  const std::vector<Override> settings = space.settings(3);
  REQUIRE(settings.size() == 3);
  CHECK(settings[0].pointer == "/jobs/0/count");
  CHECK(settings[0].value == "2");
  CHECK(settings[2].pointer == "/network/links/0/rtt");
  CHECK(settings[2].value == "2 ms");
  const Scenario scenario = sound().again(settings);
  CHECK(scenario.jobs[0].count == 2);
  CHECK(scenario.models.at("emtrk").max_batch_size == 4000);
}

TEST_CASE("values that run along with each other may come again, but no combination of them") {
  CHECK(sweep_space({.axes = {"/jobs/0/count=1,1,2 with /network/links/0/rtt=1ms,2ms,2ms"}}, sound()).size() == 3);
  CHECK(complaint_of_axis("/jobs/0/count=1,2,1 with /network/links/0/rtt=1ms,2ms,0.001s") ==
        "sweep.twice Its values number 1 and number 3 are the same; give each combination once.");
}

TEST_CASE("a star stands for every name, without those where the key makes no sense") {
  const SweepSpace space = sweep_space({.axes = {"/models/*/instances=1,2"}}, batching());
  std::vector<std::string> places;
  for (const Override& setting : space.settings(1)) places.push_back(setting.pointer);
  CHECK(places == std::vector<std::string>{"/models/clean/instances", "/models/tag/instances"});
}

TEST_CASE("an axis that names no field is refused with the nearest one") {
  CHECK(complaint_of_axis("") == "--axis: sweep.unknown_pointer \"\" is no JSON pointer; write /jobs/0/count=1:64:x2.");
  CHECK(complaint_of_axis("count=1,2") ==
        "sweep.unknown_pointer \"count\" is no JSON pointer; did you mean /jobs/*/count or /servers/*/devices/count?");
  CHECK(complaint_of_axis("/jobs/0/cuont=1,2") ==
        "sweep.unknown_pointer /jobs/0 has no \"cuont\"; did you mean /jobs/0/count?");
  CHECK(complaint_of_axis("/jobs/3/count=1,2") ==
        "sweep.unknown_pointer /jobs is a list of 1; its only element is 0, and \"*\" stands for all of them; did you "
        "mean /jobs/*/count or /servers/*/devices/count?");
  CHECK(complaint_of_axis("/jobs/0/count=\xFF").starts_with("--axis: sweep.unknown_pointer The axis is not valid"));
}

TEST_CASE("texts, lists and objects are not swept, and the complaint says what may be") {
  CHECK(complaint_of_axis("/jobs/0/name=a,b") ==
        "sweep.not_numeric /jobs/0/name is a text; a sweep varies numbers, quantities, true or false, and words out "
        "of a few.");
  CHECK(complaint_of_axis("/devices/t4=1,2") ==
        "sweep.not_numeric /devices/t4 holds a list or an object; a sweep varies numbers, quantities, true or false, "
        "and words out of a few. Name a field in it, such as /devices/t4/contention, /devices/t4/kind, "
        "/devices/t4/power, /devices/t4/price or "
        "/devices/t4/sharing.");
  CHECK(complaint_of_axis("/sweep/sample=1,2") ==
        "sweep.not_numeric /sweep/sample changes no answer; a sweep varies fields of the jobs, the models, the "
        "servers, the network and the like.");
  CHECK(complaint_of_axis("/models/emtrk/dynamic_batching=1:2") ==
        "sweep.not_numeric /models/emtrk/dynamic_batching is not numeric, so that it has no range; list its values, as "
        "in /models/emtrk/dynamic_batching=false,true.");
}

TEST_CASE("ranges without values, and ranges that are none, are refused with the field that they are of") {
  CHECK(complaint_of_axis("/jobs/0/count") ==
        "sweep.empty_range /jobs/0/count has no values; write a list, as in /jobs/0/count=1,2,4, or a range such as "
        "1:8.");
  CHECK(complaint_of_axis("/jobs/0/count=8:1") ==
        "sweep.empty_range /jobs/0/count: \"8:1\" is empty: it begins above its end. Exchange the two.");
  CHECK(complaint_of_axis("/network/links/0/rtt=1,2") ==
        "sweep.bad_range /network/links/0/rtt: \"1\" lacks its unit; a duration needs one, for example \"1 ms\".");
  CHECK(complaint_of_axis("/jobs/0/count=1:1000000000") ==
        "sweep.bad_range /jobs/0/count: It has 1,000,000,000 values; at most 1,000,000 are allowed. Take a larger "
        "step, or a factor such as \"x2\".");
}

TEST_CASE("values that a field never takes are named") {
  CHECK(complaint_of_axis("/jobs/0/count=0:3") == "sweep.not_allowed /jobs/0/count is 0; allowed is 1 to 2,000,000.");
  CHECK(complaint_of_axis("/models/emtrk/instances=2,-1,0,1,2000") ==
        "sweep.not_allowed /models/emtrk/instances is -1; allowed is 1 to 1,024. Refused too: 0, 2000.");
  CHECK(complaint_of_axis("/run/precision=0:2:0.125") ==
        "sweep.not_allowed /run/precision is 0; allowed is 0.0001 to 0.5. Refused too: 2, 1.875, 1.75, 1.625 and "
        "others.");
  CHECK(complaint_of_axis("/servers/0/dispatch=round_robin,least_outstandign") ==
        "sweep.not_allowed /servers/0/dispatch is never \"least_outstandign\"; allowed is \"round_robin\", "
        "\"random\", \"least_outstanding\" or \"power_of_two\". Did you mean \"least_outstanding\"?");
}

TEST_CASE("a field is swept once, and zipped places have equally many values") {
  CHECK(complaints_of({.axes = {"/jobs/0/count=1,2", "/jobs/0/count=3,4"}}) ==
        "--axis /jobs/0/count=3,4: sweep.twice /jobs/0/count is swept twice; give it one axis with all its values.");
  CHECK(complaints_of({.axes = {"/models/*/instances=1,2", "/models/tag/instances=3,4"}}, batching()) ==
        "--axis /models/tag/instances=3,4: sweep.twice /models/tag/instances is swept twice, by /models/*/instances "
        "and by /models/tag/instances; keep one of them.");
  CHECK(complaint_of_axis("/jobs/0/count=1,2,4 with /network/links/0/rtt=1ms,2ms") ==
        "sweep.uneven /jobs/0/count has 3 values and /network/links/0/rtt has 2 values; those that run along with each "
        "other have equally many.");
}

TEST_CASE("all complaints come at once") {
  CHECK(complaints_of({.axes = {"/jobs/0/count=0,1", "/models/emtrk/inptu=1"}, .where = {}, .sample = 0}) ==
        "--axis /jobs/0/count=0,1: sweep.not_allowed /jobs/0/count is 0; allowed is 1 to 2,000,000.\n"
        "--axis /models/emtrk/inptu=1: sweep.unknown_pointer /models/emtrk has no \"inptu\"; did you mean "
        "/models/emtrk/input?\n"
        "--sample 0: sweep.bad_sample The sample is to have 0 points; allowed are 1 to 10,000,000.");
  CHECK(complaints_of({}) ==
        "--axis: sweep.no_axis There is nothing to vary; write --axis /jobs/0/count=1:64:x2, or give the scenario a "
        "\"sweep\" with \"axes\".");
}

TEST_CASE("too many points are refused before any is made") {
  const std::string count = "/jobs/0/count=1:100000";
  CHECK(complaints_of({.axes = {count, "/models/emtrk/max_batch_size=1:100000"}}) ==
        "--axis: sweep.too_many The axes give 10,000,000,000 points; at most 10,000,000 are allowed. Draw some of them "
        "with --sample 500, thin them with --where, or take larger steps.");
  const std::string seeds = "/run/seed=1:100000";
  CHECK(complaints_of(
            {.axes = {count, "/models/emtrk/max_batch_size=1:100000", seeds, "/models/emtrk/instances=1:1024"}}) ==
        "--axis: sweep.too_many The axes give more than 9000000000000000 points; at most 10,000,000 are allowed. Draw "
        "some of them with --sample 500, thin them with --where, or take larger steps.");
}

TEST_CASE("the points at which the scenario is refused are named with what the reader says") {
  const SweepSpace space =
      sweep_space({.axes = {"/models/tag/max_batch_size=4:64:x2", "/jobs/0/event/1/request_batch=4,8,16"}}, batching());
  const std::vector<RefusedPoint> refused = refused_points(space, batching(), 100);
  std::vector<std::uint64_t> points;
  for (const RefusedPoint& point : refused) points.push_back(point.point);
  std::vector<std::uint64_t> expected;
  for (std::uint64_t point = 0; point < space.size(); ++point) {
    const std::vector<AxisCell> cells = space.cells(point);
    // The ensemble passes 32 items on to the model, whose own requests have to fit as well.
    if (*cells[0].number < 32 || *cells[0].number < *cells[1].number) expected.push_back(point);
  }
  CHECK(points == expected);
  CHECK(refused_points(space, batching(), 2).size() == 2);
  CHECK_FALSE(refused.at(0).complaints.empty());
}
