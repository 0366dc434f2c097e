#include "sim/plan/question/free_options.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>

#include "sim/plan/costs/purchase_terms.hpp"
#include "tests/plan/search_option_samples.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

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

/// What follows "option: " of the only complaint about one free variable.
std::string refusal(const std::string& free, const ReadScenario& read = big_batch()) {
  const auto all = complaints_of({.free = {free}, .objective = "fewest-gpus"}, read);
  if (all.size() != 1) return std::to_string(all.size()) + " complaints";
  const std::string option = "--free " + free + ": ";
  return all.front().starts_with(option) ? all.front().substr(option.size()) : all.front();
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
  // A batch of 65,536 items takes 65,536 · 32.2 us = 2.110 s.
  CHECK(values_of(variables[1]) == "0 s | 530 ms | 1.1 s | 2.1 s | 4.2 s | 8.4 s");
  CHECK(values_of(variables[2]) == "1 | 2 | 3 | 4");
  CHECK(values_of(variables[3]) == "1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16");
  CHECK(values_of(variables[4]) == "round_robin | random | least_outstanding | power_of_two");
  // An event has 55,000 items.
  CHECK(values_of(variables[5]) == "256 | 512 | 1024 | 2048 | 4096 | 8192 | 16384 | 32768 | 55000");
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
  CHECK(
      refusal("/models/both/max_queue_delay=1ms", with_ensemble()) ==
      "free.not_allowed: /models/both has \"ensemble\" and \"max_queue_delay\"; an ensemble only chains other models, "
      "whose own keys apply: leave one of the two out.");
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

TEST_CASE("a free variable that does not exist is refused with the one that was likely meant") {
  CHECK(refusal("/jobs/0/cuont") == "free.unknown_pointer: /jobs/0 has no \"cuont\"; did you mean /jobs/0/count?");
  CHECK(refusal("/jobs/*/event/*/request_bach") ==
        "free.unknown_pointer: /jobs/0/event/2 has no \"request_bach\"; did you mean /jobs/0/event/2/request_batch?");
  CHECK(refusal("/jobs/0/event/0/request_batch") ==
        "free.unknown_pointer: /jobs/0/event/0 has no \"request_batch\"; it may have \"cpu\", \"label\", \"needs\" or "
        "\"part_of\".");
  CHECK(refusal("max_batch_size") ==
        "free.unknown_pointer: \"max_batch_size\" is no JSON pointer; did you mean /models/*/max_batch_size?");
  CHECK(refusal("jobs/0/count=8") ==
        "free.unknown_pointer: \"jobs/0/count\" is no JSON pointer; did you mean "
        "/jobs/0/count?");
  CHECK(refusal("count") ==
        "free.unknown_pointer: \"count\" is no JSON pointer; did you mean /jobs/*/count or "
        "/servers/*/devices/count?");
  CHECK(refusal("gpus=1:8") == "free.unknown_pointer: \"gpus\" is no JSON pointer; for devices write --gpus 1:8.");
  CHECK(refusal("") == "free.unknown_pointer: \"\" is no JSON pointer; write a field such as /jobs/0/count.");
  CHECK(refusal("/jobs/3/count") ==
        "free.unknown_pointer: /jobs is a list of 1; its only element is 0, and \"*\" stands "
        "for all of them.");
  CHECK(refusal("/servers/0/host/workers=1:4") ==
        "free.unknown_pointer: /servers/0/host is not there yet; give it in the scenario, or with --set, first.");
  CHECK(refusal("/jobs/0/count/x") == "free.unknown_pointer: /jobs/0/count is 268 and has nothing inside.");
  CHECK(refusal("/\xff=1") == "free.unknown_pointer: The option is not valid UTF-8 text.");
  CHECK(refusal("/jobs/0") ==
        "free.not_numeric: /jobs/0 holds a list or an object; name a field in it, as in /jobs/0/count.");
  CHECK(refusal("/servers/0/site=1:4") ==
        "free.not_numeric: /servers/0/site is not numeric, so that it has no range; list "
        "its values, as in /servers/0/site=one,another.");
  CHECK(refusal("/run/seed=1:9") ==
        "free.not_allowed: /run/seed is a name, or says how the scenario is simulated; nothing "
        "is gained by another one. Use --set to change it.");
}

TEST_CASE("values that a field never takes are refused, those that only another variable hinders are not") {
  CHECK(refusal("/models/*/instances=0:8") == "free.not_allowed: /models/emtrk/instances is 0; allowed is 1 to 1,024.");
  CHECK(refusal("/models/*/instances=1000:5000:1000") ==
        "free.not_allowed: /models/emtrk/instances is 2000; allowed is 1 to 1,024. (3 more values are refused too.)");
  CHECK(refusal("/servers/0/dispatch=best,random") ==
        "free.not_allowed: /servers/0/dispatch is \"best\"; allowed is \"round_robin\", \"random\", "
        "\"least_outstanding\" "
        "or \"power_of_two\".");
  CHECK(refusal("/servers/0/devices/type=t4,a100") ==
        "free.not_allowed: /servers/0/devices/type names the device type \"a100\", which is not in /devices. /devices "
        "has "
        "\"t4\".");
  CHECK(
      refusal("/servers/0/site=iowaa,iowa") ==
      "free.not_allowed: /servers/0/site names the site \"iowaa\", and calls find no path of links since it is not "
      "\"iowa\", as in /network/links/0/between/1. Did you mean \"iowa\"? If it is a site of its own, add a link to it "
      "to /network/links.");
  CHECK(refusal("/models/emtrk/max_batch_size=512,1024") ==
        "free.not_allowed: /jobs/0/event/2/request_batch puts 1,719 items into a request, but "
        "/models/emtrk/max_batch_size is 512; lower \"request_batch\" or raise that. (1 more value is refused too.)");
  CHECK(refusal("/models/emtrk/max_batch_size=512,1024,2048") == "0 complaints");
  CHECK(complaints_of({.free = {"/models/emtrk/max_batch_size=512,1024", "/jobs/0/event/2/request_batch=500,1000"},
                       .objective = "cost"},
                      big_batch())
            .empty());
}

TEST_CASE("ranges that are empty, torn, missing or too long are refused") {
  CHECK(refusal("/jobs/0/count=8:1") ==
        "free.empty_range: \"8:1\" is empty: it begins above its end. Exchange the two.");
  CHECK(refusal("/jobs/0/count=").starts_with("free.empty_range: There are no values"));
  CHECK(refusal("/network/links/0/rtt=0:10ms:1ms") ==
        "free.bad_range: \"0\" lacks its unit; a duration needs one, for example \"0 ms\".");
  CHECK(refusal("/models/emtrk/input") ==
        "free.no_range: For /models/emtrk/input no range goes without saying; write one, as in --free "
        "/models/emtrk/input=1MB:16MB:x2.");
  CHECK(refusal("/servers/0/site").starts_with("free.no_range: "));
  CHECK(
      complaints_of({.free = {"/jobs/0/count=1:2000", "/servers/0/nodes=1:2000"}, .objective = "cost"}, big_batch()) ==
      std::vector<std::string>{
          "--free: free.too_many: The free variables have 2000 x 2000 = 4,000,000 combinations; at most 1,000,000 are "
          "searched. /jobs/0/count has the most values, 2,000: take a larger step, or a factor such as \"x2\"."});
}

TEST_CASE("one field chosen by two options is refused, whichever way they name it") {
  CHECK(complaints_of({.free = {"/models/*/instances", "/models/emtrk/instances=1:2", "/servers/0/nodes"},
                       .gpus = {"1:8"},
                       .objective = "cost"},
                      big_batch()) ==
        std::vector<std::string>{
            "--free /models/emtrk/instances=1:2: free.twice: /models/emtrk/instances is already chosen "
            "by \"--free /models/*/instances\"; leave one of the two out.",
            "--gpus 1:8: free.twice: /servers/0/nodes is already chosen by \"--free "
            "/servers/0/nodes\"; leave one of the two out."});
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

TEST_CASE("numbers of devices that no nodes make up, and servers that do not exist, are refused") {
  const ReadScenario two = read_scenario_file("two-sites", {});
  const auto all = complaints_of(
      {.gpus = {"1:8", "clod=1:8", "cloud=-1:8", "cloud=12"}, .node_sizes = {"8", "2000"}, .objective = "fewest-gpus"},
      two);
  REQUIRE(all.size() == 5);
  CHECK(all[0] == "--node-sizes 2000: gpus.bad_node_sizes: It contains nodes of 2,000 devices; a node has 1 to 1,024.");
  CHECK(all[1] ==
        "--gpus 1:8: gpus.which_server: The scenario has 2 servers; say which one, \"on_site\" or \"cloud\", as "
        "in --gpus on_site=1:8.");
  CHECK(all[2] == "--gpus clod=1:8: gpus.unknown_server: There is no server \"clod\"; did you mean \"cloud\"?");
  CHECK(all[3] == "--gpus cloud=-1:8: gpus.bad_range: It contains -1; devices are counted from 0 on.");
  CHECK(all[4] ==
        "--gpus cloud=12: gpus.no_nodes: 12 devices in nodes of 8 are not possible; ask for 8 or 16, or for "
        "other --node-sizes.");
  CHECK(complaints_of({.gpus = {"1:3"}, .objective = "cost"}, big_batch()) ==
        std::vector<std::string>{"--gpus 1:3: gpus.no_nodes: 1 device in nodes of 4 is not possible; ask for 4, or for "
                                 "other --node-sizes."});
  CHECK(complaints_of({.node_sizes = {"1,4"}}, big_batch()) ==
        std::vector<std::string>{
            "--node-sizes 1,4: gpus.node_sizes_alone: Sizes of nodes say how numbers of devices come "
            "about; ask for those too, as in --gpus 1:32."});
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
