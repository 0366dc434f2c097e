#include "sim/plan/question/free_options.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "scenarios/read_scenario.hpp"
#include "sim/formula/expenses.hpp"
#include "tests/complaint_table.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

/// ProtoDUNE's big batches on four T4 (shipped): requests of 1,719 items to "emtrk", server "gke" at "iowa".
ReadScenario big_batch(const std::vector<Override>& changes = {}) {
  return read_scenario_file("protodune-big-batch", changes);
}

/// "option: code: text" of every complaint; nothing where there is none.
std::vector<std::string> complaints_of(const SearchOptions& options, const ReadScenario& read) {
  std::vector<std::string> all;
  try {
    understand(options, read);
  } catch (const InputError& error) {
    for (const Complaint& complaint : error.complaints())
      all.push_back(complaint.source + ": " + complaint.code + ": " + complaint.text);
  }
  return all;
}

/// The values of a variable in one text: "1 | 2 | 4".
std::string values_of(const FreeVariable& variable) {
  std::string all;
  for (const FreeValue& value : variable.values) all += (all.empty() ? "" : " | ") + value.text;
  return all;
}

/// What a value sets: "/jobs/0/count=8".
std::vector<std::string> settings_of(const FreeValue& value) {
  std::vector<std::string> all;
  for (const Override& setting : value.settings) all.push_back(text_of(setting));
  return all;
}

/// Jobs that call two models; the old devices hold one of them, the new ones both.
const std::string two_types = R"({
  "schema": "saturn-scenario/1",
  "jobs": [{ "name": "reco", "site": "here", "count": 10,
             "event": [{ "cpu": "1 s" }, { "infer": "small", "items": 1 }, { "infer": "large", "items": 1 }] }],
  "models": { "small": { "input": "1 kB", "max_batch_size": 1, "service": { "t4": { "per_batch": "10 ms" }, "a100": { "per_batch": "2 ms" } } },
              "large": { "input": "1 kB", "max_batch_size": 1, "service": { "a100": { "per_batch": "10 ms" } } } },
  "servers": [
    { "name": "old", "site": "here", "devices": { "type": "t4", "count": 1 }, "models": ["small"] },
    { "name": "new", "site": "here", "devices": { "type": "a100", "count": 1 }, "models": ["small", "large"] }
  ],
  "devices": { "t4": { "kind": "gpu" }, "a100": { "kind": "gpu" } }
})";

std::vector<FreeVariable> variables_of(SearchOptions options, const ReadScenario& read) {
  options.objective = "fewest-gpus";
  return understand(options, read).space.variables();
}

/// A scenario with an ensemble of two steps.
ReadScenario with_ensemble() {
  return read_scenario_text(R"({
    "schema": "saturn-scenario/1",
    "jobs": [{ "name": "j", "site": "a", "count": 4, "event": [{ "cpu": "1 s" }, { "infer": "both", "items": 4 }] }],
    "models": {
      "both": { "input": "1 B", "max_batch_size": 16, "ensemble": ["one", "two"] },
      "one": { "input": "1 B", "max_batch_size": 16, "service": { "t4": { "per_item": "1 ms" } } },
      "two": { "input": "1 B", "max_batch_size": 16, "dynamic_batching": true, "service": { "t4": { "per_item": "1 ms" } } }
    },
    "servers": [{ "name": "s", "site": "a", "devices": { "type": "t4", "count": 1 }, "models": ["both", "one", "two"] }],
    "devices": { "t4": { "kind": "gpu" } }
  })",
                            "s.json", {});
}

}  // namespace

TEST_CASE("without a range the fields that one tunes have the values that the documentation lists") {
  const auto variables =
      variables_of({.free = {"/models/*/max_batch_size", "/models/*/max_queue_delay", "/models/*/instances",
                             "/servers/0/nodes", "/servers/0/dispatch", "/jobs/*/event/*/request_batch"}},
                   big_batch());
  REQUIRE(variables.size() == 6);
  // Requests of 1,719 items; 64 times as many are 110,016.
  CHECK(values_of(variables[0]) == "2048 | 4096 | 8192 | 16384 | 32768 | 65536");
  // A batch of 65,536 items takes 4.83 ms + 65,536 · 29.37 us = 1.930 s.
  CHECK(values_of(variables[1]) == "0 s | 480 ms | 960 ms | 1.9 s | 3.9 s | 7.7 s");
  CHECK(values_of(variables[2]) == "1 | 2 | 3 | 4");
  CHECK(values_of(variables[3]) == "1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16");
  CHECK(values_of(variables[4]) == "round_robin | random | least_outstanding | power_of_two");
  // An event has 55,000 items.
  CHECK(values_of(variables[5]) == "256 | 512 | 1024 | 1719 | 2048 | 4096 | 8192 | 16384 | 32768 | 55000");
}

TEST_CASE("without a range what stands in the scenario is among the values, where it means the same as a candidate") {
  const auto values = [](const std::string& free, std::vector<Override> changes) {
    return values_of(variables_of({.free = {free}}, big_batch(changes)).front());
  };
  const Override batcher{"/models/emtrk/dynamic_batching", "true"};
  CHECK(values("/servers/0/nodes", {{"/servers/0/nodes", "24"}}).ends_with("15 | 16 | 24"));
  CHECK(values("/models/*/instances", {{"/models/emtrk/instances", "6"}}) == "1 | 2 | 3 | 4 | 6");
  CHECK(values("/models/*/max_batch_size", {batcher, {"/models/emtrk/max_batch_size", "3000"}})
            .starts_with("2048 | 3000 | 4096"));
  CHECK(values("/models/*/max_queue_delay", {batcher, {"/models/emtrk/max_queue_delay", "700000 us"}})
            .starts_with("0 s | 480 ms | 700000 us | 960 ms"));
  CHECK(values("/models/*/max_queue_delay", {batcher, {"/models/emtrk/max_queue_delay", "0.48 s"}})
            .starts_with("0 s | 480 ms | 960 ms"));
  CHECK(values("/jobs/*/event/*/request_batch", {{"/jobs/0/event/2/request_batch", "1719"}})
            .starts_with("256 | 512 | 1024 | 1719"));
}

TEST_CASE("numbers of jobs reach a fifth beyond what saturates the devices that may be chosen") {
  const auto counts = [](const SearchOptions& options) {
    const std::vector<FreeVariable> variables = variables_of(options, big_batch());
    std::vector<double> jobs;
    for (const FreeValue& value : variables.front().values) jobs.push_back(std::stod(value.text));
    return jobs;
  };
  const auto alone = counts({.free = {"/jobs/0/count"}});
  // t_ideal = 110 + 7 + 1.771 + transfers; four T4 saturate at 4·t_ideal/1.771 = 273.7 jobs, which is in planning.md.
  CHECK(alone.size() == 24);
  CHECK(alone.back() == doctest::Approx(1.2 * 273.7).epsilon(0.005));
  const auto with_devices = counts({.free = {"/jobs/0/count", "/servers/0/devices/count=2,8"}});
  CHECK(with_devices.front() == doctest::Approx(0.5 * alone.front()).epsilon(0.05));
  CHECK(with_devices.back() == doctest::Approx(2.0 * alone.back()).epsilon(0.01));
}

TEST_CASE("a star stands for every place where the key may stand, and all of them take the same value") {
  const auto variables = variables_of({.free = {"/models/*/max_queue_delay=0s,5 ms", "/models/*/max_batch_size=4:16:x2",
                                                "/jobs/*/event/*/request_batch=2,4"}},
                                      with_ensemble());
  REQUIRE(variables.size() == 3);
  // The ensemble has no queue; the batcher of the step without one is switched on.
  CHECK(settings_of(variables[0].values[1]) == std::vector<std::string>{"/models/one/max_queue_delay=5 ms",
                                                                        "/models/one/dynamic_batching=true",
                                                                        "/models/two/max_queue_delay=5 ms"});
  CHECK(settings_of(variables[1].values[2]) ==
        std::vector<std::string>{"/models/both/max_batch_size=16", "/models/one/max_batch_size=16",
                                 "/models/one/dynamic_batching=true", "/models/two/max_batch_size=16"});
  CHECK(settings_of(variables[2].values[0]) == std::vector<std::string>{"/jobs/0/event/1/request_batch=2"});
  CHECK(complaints_of({.free = {"/models/both/max_queue_delay=1ms"}, .objective = "fewest-gpus"}, with_ensemble()) ==
        std::vector<std::string>{"--free /models/both/max_queue_delay=1ms: free.not_allowed: /models/both has "
                                 "\"ensemble\" and \"max_queue_delay\"; an ensemble only chains other models, whose "
                                 "own keys apply: leave one of the two out."});
}

TEST_CASE("batches above the largest request switch the dynamic batcher on, unless that is free itself") {
  const auto value = [](const std::vector<std::string>& free, std::size_t i) {
    return settings_of(variables_of({.free = free}, big_batch()).front().values[i]).size();
  };
  CHECK(value({"/models/emtrk/max_batch_size=1719,4096"}, 0) == 1);
  CHECK(value({"/models/emtrk/max_batch_size=1719,4096"}, 1) == 2);
  CHECK(value({"/models/emtrk/max_batch_size=1719,4096", "/models/emtrk/dynamic_batching"}, 1) == 1);
  CHECK(value({"/models/emtrk/max_batch_size=1719,4096", "/jobs/0/event/2/request_batch=100,1000"}, 0) == 2);
}

TEST_CASE("every candidate's settings are taken by the reader, words as words") {
  const ReadScenario read = big_batch();
  const SearchOptions options{.free = {"/servers/0/site=iowa,fnal", "/network/links/0/rtt=1ms:4ms:x2",
                                       "/jobs/0/event/0/cpu=50 s,110 s", "/models/emtrk/dynamic_batching"},
                              .gpus = {"2:8:x2"},
                              .node_sizes = {"1,4"},
                              .objective = "cost"};
  const SearchQuestion question = understand(options, read);
  CHECK(question.space.size() == 2 * 3 * 2 * 2 * 5);
  const Scenario last = read.again(question.space.settings(question.space.size() - 1));
  CHECK(last.servers[0].site == "fnal");
  CHECK(last.links[0].round_trip_time.value == doctest::Approx(4e-3));
  CHECK(last.models.at("emtrk").dynamic_batching);
  CHECK(last.servers[0].nodes == 2);
  CHECK(last.servers[0].devices.count == 4);
  CHECK(values_of(question.space.variables()[4]) ==
        "2 GPUs: 2 nodes of 1 | 4 GPUs: 4 nodes of 1 | 8 GPUs: 8 nodes of 1 | "
        "4 GPUs: 1 node of 4 | 8 GPUs: 2 nodes of 4");
}

TEST_CASE("more devices are known to be faster only where nothing holds batches back") {
  const auto is_faster = [](const SearchOptions& options, const std::vector<Override>& changes) {
    return variables_of(options, big_batch(changes)).back().more_is_faster;
  };
  const SearchOptions devices{.free = {"/servers/0/devices/count"}};
  const std::vector<Override> central{{"/servers/0/balancing", "central_queue"}, {"/servers/0/nic", "null"}};
  CHECK(is_faster(devices, {}));
  CHECK(is_faster(devices, {{"/models/emtrk/dynamic_batching", "true"}}));
  CHECK_FALSE(
      is_faster(devices, {{"/models/emtrk/dynamic_batching", "true"}, {"/models/emtrk/max_queue_delay", "1 ms"}}));
  CHECK_FALSE(is_faster(devices, {{"/servers/0/devices/interference", "0.1"}}));
  CHECK_FALSE(is_faster({.free = {"/models/emtrk/max_queue_delay", "/servers/0/devices/count"}}, {}));
  CHECK(is_faster({.free = {"/models/emtrk/max_batch_size", "/servers/0/devices/count=4,1,2"}}, {}));
  CHECK(values_of(variables_of({.free = {"/servers/0/devices/count=4,1,2"}}, big_batch()).front()) == "1 | 2 | 4");
  CHECK_FALSE(is_faster({.gpus = {"1:8"}}, {}));
  CHECK(is_faster({.gpus = {"1:8"}}, central));
  CHECK_FALSE(is_faster({.gpus = {"1:8"}, .node_sizes = {"1,4"}}, central));
  CHECK(is_faster({.free = {"/servers/0/nodes"}}, central));
}

TEST_CASE("every option of the table is refused with just these words, or taken") {
  for (const ComplaintRow& row : read_complaint_table(SATURN_SOURCE_DIR "/tests/plan/complaints.txt")) {
    SearchOptions options;
    std::vector<Override> changes;
    const std::map<std::string, std::vector<std::string>*> lists{{"--free", &options.free},
                                                                 {"--gpus", &options.gpus},
                                                                 {"--node-sizes", &options.node_sizes},
                                                                 {"--require", &options.require}};
    const std::map<std::string, std::optional<std::string>*> words{
        {"--objective", &options.objective}, {"--slowdown", &options.slowdown}, {"--events", &options.events}};
    std::string last;
    for (std::string input : row.input) {
      std::size_t at = 0;
      if (input.starts_with('`')) input = quoted_text(input, at);
      const std::string name = input.substr(0, input.find(' '));
      const std::string value = name == input ? "" : input.substr(name.size() + 1);
      if (name == "--set")
        changes.push_back(parse_override(value));
      else if (lists.contains(name))
        lists.at(name)->push_back(value);
      else
        *words.at(name) = value;
      last = name + " " + value + ": ";
    }
    std::vector<std::string> found = complaints_of(options, read_scenario_file(row.base, changes));
    if (found.empty()) found = {"taken"};
    for (std::string& one : found)
      if (one.starts_with(last)) one.erase(0, last.size());
    compare_row(row, found);
  }
}

TEST_CASE("of a type none may be bought, and where a needed model is then held nowhere there is no candidate") {
  const ReadScenario read = read_scenario_text(two_types, "two types", {});
  const SearchQuestion question =
      understand({.gpus = {"old=0:2", "new=0,8"}, .node_sizes = {"1,2"}, .objective = "fewest-gpus"}, read);
  REQUIRE(question.space.variables().size() == 2);
  CHECK(values_of(question.space.variables()[0]) ==
        "0 GPUs | 1 GPU: 1 node of 1 | 2 GPUs: 2 nodes of 1 | 2 GPUs: 1 node of 2");
  CHECK(values_of(question.space.variables()[1]) == "0 GPUs | 8 GPUs: 8 nodes of 1 | 8 GPUs: 4 nodes of 2");
  std::size_t refused = 0;
  for (std::uint64_t c = 0; c < question.space.size(); ++c) {
    const std::vector<std::size_t> chosen = question.space.coordinates(c);
    const auto make = [&] { return read.again(question.space.settings(c)); };
    // The new devices alone hold both models.
    if (chosen[1] == 0) {
      CHECK_THROWS_AS(make(), InputError);
      ++refused;
      continue;
    }
    const Scenario candidate = make();
    CHECK(candidate.servers.size() == (chosen[0] == 0 ? 1 : 2));
    const std::uint64_t old_devices = std::array<std::uint64_t, 4>{0, 1, 2, 2}[chosen[0]];
    CHECK(compute_expenses(candidate, {}).devices_bought == 8 + old_devices);
  }
  CHECK(refused == 4);
}

TEST_CASE("settings name the place of a server in its file when one before it has no nodes") {
  const ReadScenario read =
      read_scenario_text(two_types, "two types", std::vector<Override>{{"/servers/0/nodes", "0"}});
  REQUIRE(read.scenario.servers.size() == 1);
  CHECK(read.scenario.servers[0].name == "new");
  const SearchQuestion question = understand({.gpus = {"1:2"}, .objective = "fewest-gpus"}, read);
  CHECK(settings_of(question.space.variables()[0].values[1]) ==
        std::vector<std::string>{"/servers/1/nodes=2", "/servers/1/devices/count=1"});
  CHECK(read.again(question.space.settings(1)).servers[0].nodes == 2);
}

TEST_CASE("a server of which there is none is freed by its name, and then stands among the candidates' servers") {
  const ReadScenario read =
      read_scenario_text(two_types, "two types", std::vector<Override>{{"/servers/0/nodes", "0"}});
  const SearchQuestion question = understand({.gpus = {"old=0:2"}, .objective = "fewest-gpus"}, read);
  CHECK(values_of(question.space.variables()[0]) == "0 GPUs | 1 GPU: 1 node of 1 | 2 GPUs: 2 nodes of 1");
  CHECK(read.again(question.space.settings(0)).servers.size() == 1);
  const Scenario with_two = read.again(question.space.settings(2));
  REQUIRE(with_two.servers.size() == 2);
  CHECK(with_two.servers[0].name == "old");
  CHECK(with_two.servers[0].nodes == 2);
}

TEST_CASE("of a server that scales, the number of devices is the most that its autoscaler may start") {
  const ReadScenario read = big_batch({{"/servers/0/nodes", "2"},
                                       {"/servers/0/devices/count", "1"},
                                       {"/servers/0/autoscaler", R"({ "min": 2, "max": 3, "in_flight": 4 })"}});
  const SearchQuestion question = understand({.gpus = {"gke=0,1,5"}, .objective = "fewest-gpus"}, read);
  CHECK(settings_of(question.space.variables()[0].values[0]).back() == "/servers/0/autoscaler=null");
  const Scenario few = read.again(question.space.settings(1));
  CHECK(few.servers[0].nodes == 1);
  CHECK(few.servers[0].autoscaler->most == 1);
  CHECK(few.servers[0].autoscaler->least == 1);
  const Scenario many = read.again(question.space.settings(2));
  CHECK(many.servers[0].nodes == 5);
  CHECK(many.servers[0].autoscaler->most == 5);
  CHECK(many.servers[0].autoscaler->least == 2);
  CHECK(many.servers[0].autoscaler->begin == 2);
}

TEST_CASE("whatever is typed is understood as candidates that can be made, or refused with sentences") {
  const ReadScenario read = big_batch();
  const auto text_of = [](const std::vector<std::string>& pieces) {
    std::string text;
    for (const std::string& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces)))
      text += piece;
    return text;
  };
  const bool holds = rc::check([&] {
    SearchOptions options;
    options.free = {
        *rc::gen::element<std::string>("/jobs/0/count", "/models/*/max_batch_size", "/servers/*/site", "/*") +
        text_of({"=", "1", ":", ",", "x2", "log3", "ms", "/", "*", "-", "\xff", "~", "0"})};
    options.gpus = {text_of({"gke", "=", "1", ":", "8", ",", "x2", "-", "0"})};
    options.node_sizes = {text_of({"1", "4", ",", ":", "x"})};
    options.require = {
        text_of({"latency", "_p99", ":emtrk", " ", "<=", ">", "5", "0", "-", "ms", "%", "gpus", "\xe2"})};
    options.events = text_of({"1", "e9", "-", "inf", "0"});
    options.objective = *rc::gen::element<std::string>("cost", "", "fewest-gpus", "COST");
    try {
      const SearchQuestion question = understand(options, read);
      RC_ASSERT(question.space.size() >= 1);
      RC_ASSERT(question.space.size() <= most_candidates);
      question.space.settings(question.space.size() - 1);
    } catch (const InputError& error) {
      RC_ASSERT(!error.complaints().empty());
      for (const Complaint& complaint : error.complaints()) {
        RC_ASSERT(complaint.source.starts_with("--"));
        RC_ASSERT(complaint.text.ends_with('.') || complaint.text.ends_with('?') || complaint.text.ends_with(')'));
      }
    }
  });
  CHECK(holds);
}

namespace {

const SearchOptions free_devices{.free = {"/servers/0/devices/count"}, .objective = "fewest-gpus"};

SearchQuestion question_with(const std::vector<std::string>& require, const std::string& events = "1e9") {
  SearchOptions options = free_devices;
  options.require = require;
  options.events = events;
  return understand(options, big_batch());
}

}  // namespace

TEST_CASE("limits are read with their units, of a figure or of one model, link or server") {
  const auto requirements =
      question_with({"latency_p99:emtrk <= 50 ms", "throughput>=6000 /min", "rent < 5 USD/h", "power <= 2 kW",
                     "network_share : fnal to iowa \u2264 50 %", "campaign_time <= 30 d", "jobs > 400",
                     "cost_per_million <= 200 USD", "cost_per_million<=150", "gpu_share:gke <= 0.9", "slowdown <= 5 %"})
          .requirements;
  REQUIRE(requirements.size() == 11);
  const std::vector<double> limits{0.05, 100, 5, 2000, 0.5, 30 * 86400.0, 400, 200, 150, 0.9, 0.05};
  for (std::size_t i = 0; i < limits.size(); ++i) CHECK(requirements[i].limit == doctest::Approx(limits[i]));
  CHECK(requirements[0].figure == measure("latency_p99"));
  CHECK(requirements[0].of == "emtrk");
  CHECK(requirements[0].at_most);
  CHECK_FALSE(requirements[1].at_most);
  CHECK_FALSE(requirements[6].at_most);
  CHECK(requirements[2].text == "rent <= 5 USD/h");
  CHECK(requirements[4].of == "fnal to iowa");
}

TEST_CASE("a model, a pool or a link is named in brackets or behind a colon") {
  const auto requirements = question_with({"latency_p99(emtrk) <= 50 ms", "event_time_p99( reco ) <= 200 s",
                                           "slowdown(reco) <= 5 %", "network_share(fnal to iowa) <= 50 %"})
                                .requirements;
  REQUIRE(requirements.size() == 4);
  CHECK(requirements[0].of == "emtrk");
  CHECK(requirements[1].of == "reco");
  CHECK(requirements[1].text == "event_time_p99( reco ) <= 200 s");
  CHECK(requirements[2].of == "reco");
  CHECK(requirements[3].of == "fnal to iowa");
}

TEST_CASE("a slowdown of 1 % is asked unless something else about speed is, and few losses where events arrive") {
  const auto texts = [](const SearchOptions& options, const ReadScenario& read) {
    std::string all;
    for (const Requirement& requirement : understand(options, read).requirements)
      all += (all.empty() ? "" : "; ") + requirement.text;
    return all;
  };
  SearchOptions options = free_devices;
  CHECK(texts(options, big_batch()) == "slowdown <= 1 %");
  CHECK(texts(options, read_scenario_file("hlt-farm", {})) == "lost_share <= 0.1 %");
  options.require = {"gpus <= 8"};
  CHECK(texts(options, big_batch()) == "gpus <= 8; slowdown <= 1 %");
  options.require = {"throughput >= 1 /s"};
  CHECK(texts(options, big_batch()) == "throughput >= 1 /s");
  options.require = {"gpus <= 8"};
  options.slowdown = "2 %";
  CHECK(texts(options, big_batch()) == "gpus <= 8; slowdown <= 2 %");
  CHECK(understand({.require = {"gpus <= 8"}}, big_batch()).objective.name == "fewest-gpus");
  // Numbers of devices have a usual one.
  CHECK(understand({.gpus = {"4:16"}}, big_batch()).objective.name == "rent");
  ReadScenario unpriced = big_batch();
  for (auto& type : unpriced.scenario.devices) type.second.price.reset();
  CHECK(understand({.gpus = {"4:16"}}, unpriced).objective.name == "fewest-gpus");
}

TEST_CASE("every figure has its name, and objectives point the way in which their figure is better") {
  const std::vector<MeasureId> required = measures_where([](const Measure& one) { return one.required; });
  for (const MeasureId figure : required) CHECK(find_measure(figure->name) == figure);
  CHECK(objectives().size() == 9);
  for (const Objective& objective : objectives())
    CHECK(objective.figure->better == (objective.least ? Better::less : Better::more));
}

TEST_CASE("excess is relative to the limit, absolute at a limit of 0, and beyond any bound for what is no number") {
  const Requirement at_most{.figure = measure("latency"), .limit = 0.05};
  const Requirement at_least{.figure = measure("throughput"), .at_most = false, .limit = 100};
  CHECK(excess(at_most, 0.06) == doctest::Approx(0.2));
  CHECK(excess(at_most, 0.04) == doctest::Approx(-0.2));
  CHECK(excess(at_least, 80) == doctest::Approx(0.2));
  CHECK(excess({.figure = measure("lost_share"), .limit = 0}, 0.3) == doctest::Approx(0.3));
  CHECK(excess(at_least, std::nan("")) == std::numeric_limits<double>::infinity());
}
