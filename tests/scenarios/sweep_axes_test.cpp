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

/// Place and code of what is wrong with the block of a text; of none of the options.
std::string refused_sweep_of(const std::string& text, const std::vector<Override>& changes = {}) {
  const ReadScenario read = read_scenario_text(text, "s.json", changes);
  try {
    sweep_space(asked_sweep({}, read), read);
  } catch (const InputError& error) {
    CHECK(error.complaints().front().source == "s.json");
    return places_and_codes(error.complaints());
  }
  return "none";
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
  const ReadScenario without = sound_with({});
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
  CHECK(refused_sweep_of(text) == place_of(text, "\"/jobs/0/cuont") + " sweep.unknown_pointer");

  const std::string conditions =
      with_sweep(R"({ "axes": ["/jobs/0/count=1,2"], "where": ["count <"], "sample": 300 })");
  CHECK(refused_sweep_of(conditions) == place_of(conditions, "\"count <") + " sweep.bad_condition");
  CHECK(refused_sweep_of(conditions, {{"/sweep/where", "[]"}}) == place_of(conditions, "300") + " sweep.bad_sample");
}

namespace {

const ReadScenario& sound() {
  static const ReadScenario read = sound_with({});
  return read;
}

const ReadScenario& batching() {
  static const ReadScenario read = batching_with({});
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

std::vector<std::string> names_of(const std::vector<std::string>& axes, const ReadScenario& read = batching()) {
  std::vector<std::string> heads;
  for (const AxisColumn& column : sweep_space({.axes = axes}, read).columns()) heads.push_back(column.head());
  return heads;
}

}  // namespace

TEST_CASE("a sweep of nothing, and an axis that is no text, are refused") {
  CHECK(complaints_of({}) ==
        "--axis: sweep.no_axis There is nothing to vary; write --axis /jobs/0/count=1:64:x2, or give the scenario a "
        "\"sweep\" with \"axes\".");
  CHECK(complaints_of({.axes = {"/jobs/0/count=\xFF"}}) ==
        "--axis: sweep.unknown_pointer The axis is not valid UTF-8 text.");
}

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
                 sound_with({{"/costs", "{}"}})) == std::vector<std::string>{"rtt_s", "bandwidth_bytes_per_s",
                                                                             "power_w", "price_usd_per_h",
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

TEST_CASE("a star stands for every name, without those where the key makes no sense") {
  const SweepSpace space = sweep_space({.axes = {"/models/*/instances=1,2"}}, batching());
  std::vector<std::string> places;
  for (const Override& setting : space.settings(1)) places.push_back(setting.pointer);
  CHECK(places == std::vector<std::string>{"/models/clean/instances", "/models/tag/instances"});
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
