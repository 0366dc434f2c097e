#include <doctest/doctest.h>

#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

TEST_CASE("an ensemble is read with its steps in their order") {
  const ReadScenario read = read_scenario_text(batching_scenario(), "s.json", {});
  CHECK(read.warnings.empty());
  CHECK(read.scenario.models.at("chain").ensemble == std::vector<std::string>{"clean", "tag"});
  CHECK(read.scenario.models.at("chain").service.empty());
}

TEST_CASE("an ensemble that leads back to itself is refused with the circle by name") {
  CHECK(only_text_with({{"/models/chain/ensemble", "[\"clean\", \"chain\"]"}}) ==
        "/models/chain/ensemble leads back to itself: \"chain\" -> \"chain\"; a request would never leave it. Take one "
        "of "
        "these steps out.");
  const std::string inner = R"({ "input": "1 kB", "max_batch_size": 32, "ensemble": ["tag", "chain"] })";
  CHECK(only_text_with({{"/models/inner", inner},
                        {"/models/chain/ensemble", "[\"clean\", \"inner\"]"},
                        {"/servers/0/models/-", "inner"}}) ==
        "/models/chain/ensemble leads back to itself: \"chain\" -> \"inner\" -> \"chain\"; a request would never leave "
        "it. "
        "Take one of these steps out.");
}

TEST_CASE("steps exist, stand on the servers of the ensemble and take its batches") {
  CHECK(only_text_with({{"/models/chain/ensemble/1", "tagg"}}) ==
        "/models/chain/ensemble/1 names the model \"tagg\", which is not in /models. Did you mean \"tag\"?");
  CHECK(only_text_with({{"/servers/0/models", "[\"chain\", \"tag\"]"}}) ==
        "/servers/0/models/0 places the ensemble \"chain\" here, but not its step \"clean\"; add \"clean\" to "
        "/servers/0/models.");
  CHECK(only_text_with({{"/models/clean/max_batch_size", "16"}, {"/jobs/0/event/0/request_batch", "8"}}) ==
        "/models/chain/ensemble/0 is \"clean\", whose max_batch_size is 16, but /models/chain/max_batch_size is 32; a "
        "request passes whole through every step: raise the first or lower the second.");
  CHECK(only_text_with({{"/models/chain/max_batch_size", "1000000000"}, {"/models/clean/max_batch_size", "16"}}) ==
        "/jobs/0/event/0/items puts 32 items into a request, but /models/clean/max_batch_size is 16; set "
        "\"request_batch\" or raise that.");
}

TEST_CASE("an ensemble has nothing of its own that its steps have") {
  const auto refused = [](const std::string& key, const std::string& value) {
    return only_text_with({{"/models/chain/" + key, value}}) ==
           "/models/chain has \"ensemble\" and \"" + key +
               "\"; an ensemble only chains other models, whose own keys apply: leave one of the two out.";
  };
  CHECK(refused("service", R"({ "t4": { "per_item": "1 us" } })"));
  CHECK(refused("instances", "2"));
  CHECK(refused("dynamic_batching", "true"));
  CHECK(refused("max_queue_delay", "1 ms"));
}

TEST_CASE("ensembles of ensembles that unfold to ever more steps are refused in time") {
  std::vector<Override> changes;
  for (int i = 0; i < 60; ++i) {
    const std::string next = i == 59 ? "tag" : "e" + std::to_string(i + 1);
    changes.push_back({"/models/e" + std::to_string(i),
                       R"({ "input": "1 B", "max_batch_size": 1, "ensemble": [")" + next + "\", \"" + next + "\"] }"});
  }
  const std::vector<Complaint> complaints = complaints_about(batching_scenario(), changes);
  REQUIRE(!complaints.empty());
  CHECK(
      complaints.front().text ==
      "/models/e0/ensemble has more than 1,000 steps when the ensembles among them are resolved; that is the most that "
      "is simulated.");
}

namespace {

const std::string call = "{ \"infer\": \"emtrk\", \"items\": 55000, \"request_batch\": 1719 }";

/// Complaint about an event of these stages.
std::string only_text_of_event(const std::string& stages) {
  return only_text(call, stages);
}
std::string only_text_of_pool(const std::string& keys) {
  return only_text("\"count\": 268,", "\"count\": 268, " + keys + ",");
}
std::string only_text_of_items(const std::string& items) {
  return only_text("55000, \"request_batch\": 1719", items);
}
Scenario read_with(const std::string& piece, const std::string& replacement) {
  return read_scenario_text(sound_scenario_with(piece, replacement), "s.json", {}).scenario;
}
std::vector<Complaint> warnings_about_pool(const std::string& keys) {
  return read_scenario_text(sound_scenario_with("\"count\": 268,", "\"count\": 268, " + keys + ","), "s.json", {})
      .warnings;
}

std::string asynchronous(const std::string& label) {
  return R"({ "infer": "emtrk", "label": ")" + label + R"(", "items": 100, "asynchronous": true })";
}

}  // namespace

TEST_CASE("jobs are read with all that they may do") {
  const Scenario scenario = read_with(
      "\"count\": 268,",
      R"("count": 3, "threads": 4, "concurrent_events": 8, "speed": { "uniform": { "low": 0.8, "high": 1.2 } },
         "start_over": "10 min", "events_per_job": 500, "job_setup": "30 s",)");
  const JobPool& pool = scenario.jobs[0];
  CHECK(event_loops(pool) == 24);
  CHECK(shares_cores(pool));
  CHECK(std::get<UniformSpeed>(pool.speed).high == 1.2);
  CHECK(pool.start_over == Seconds{600.0});
  CHECK(events_per_loop(pool) == 63);
  CHECK(pool.job_setup == Seconds{30.0});
  const Scenario event = read_with(
      call, asynchronous("pn") +
                R"(, { "cpu": "1 s", "needs": ["pn"] }, { "infer": "emtrk", "items": { "poisson": { "mean": 17.5 } },
                   "client_cost": { "per_request": "0.2 ms", "per_item": "1 us" } })");
  CHECK(std::get<InferStage>(event.jobs[0].event[2]).asynchronous);
  CHECK(std::get<CpuStage>(event.jobs[0].event[3]).needs == std::vector<std::string>{"pn"});
  const auto& last = std::get<InferStage>(event.jobs[0].event[4]);
  CHECK(last.items.mean() == doctest::Approx(17.5));
  CHECK(last.request_batch == last.items.largest());
  CHECK(last.client_cost.per_request == Seconds{0.2e-3});
  CHECK(last.client_cost.per_item == Seconds{1e-6});
}

TEST_CASE("a stage waits for earlier asynchronous stages of its event, and each by its own label") {
  CHECK(only_text_of_event(asynchronous("pnet") + R"(, { "cpu": "1 s", "needs": ["pne"] })") ==
        "/jobs/0/event/3/needs/0 names \"pne\", which no earlier asynchronous stage is called. Did you mean \"pnet\"?");
  CHECK(only_text_of_event(call + R"(, { "cpu": "1 s", "needs": ["tracks"] })") ==
        "/jobs/0/event/3/needs/0 names \"tracks\", which no earlier asynchronous stage is called. No stage before "
        "/jobs/0/event/3 is asynchronous.");
  CHECK(only_text_of_event(R"({ "cpu": "1 s", "needs": ["pn"] }, )" + asynchronous("pn")) ==
        "/jobs/0/event/2/needs/0 names \"pn\", which comes later, /jobs/0/event/3; a stage can wait only for earlier "
        "ones: change their order, or leave it out.");
  CHECK(only_text_of_event(call + R"(, { "cpu": "1 s", "needs": ["emtrk"] })") ==
        "/jobs/0/event/3/needs/0 names \"emtrk\", /jobs/0/event/2, which is over by then, since it is not "
        "asynchronous; leave it out, or set \"asynchronous\" there.");
  CHECK(only_text_of_event(asynchronous("pn") + ", " + asynchronous("pn") + R"(, { "cpu": "1 s", "needs": ["pn"] })") ==
        "/jobs/0/event/4/needs/0 names \"pn\", as both /jobs/0/event/2 and /jobs/0/event/3 are called; give each a "
        "\"label\" of its own.");
  CHECK(only_text_of_event(asynchronous("pn") + R"(, { "cpu": "1 s", "needs": ["pn", "pn"] })") ==
        "/jobs/0/event/3/needs/1 names \"pn\" a second time; name it once.");
  // Nobody needs to tell two stages apart that nobody waits for before the event's end.
  CHECK(complaints_about(sound_scenario_with(call, asynchronous("pn") + ", " + asynchronous("pn"))).empty());
}

TEST_CASE("numbers of items and speeds that make no sense are refused with what is allowed") {
  CHECK(only_text_of_items(R"({ "poisson": { "mean": 0 } })") ==
        "/jobs/0/event/2/items/poisson/mean is 0; allowed is above 0, at most 1000000.");
  CHECK(only_text_of_items(R"({ "values": [] })") ==
        "/jobs/0/event/2/items/values has 0 elements; 1 to 100,000 are needed.");
  CHECK(only_text_of_items(R"({ "values": [0, 0] })") ==
        "/jobs/0/event/2/items is never above 0, so that nothing is sent; give a count above 0, or leave the stage "
        "out.");
  CHECK(only_text_of_items(R"({ "exponential": { "mean": 3 } })") ==
        "/jobs/0/event/2/items has no key \"poisson\", \"lognormal\", \"geometric\" or \"values\"; a distribution has "
        "exactly one of them.");
  CHECK(only_text_of_items(R"({ "values": [70000, 1] })") ==
        "/jobs/0/event/2/items puts up to 70,000 items into a request, but /models/emtrk/max_batch_size is 65,536; set "
        "\"request_batch\" or raise that.");
  CHECK(only_text_of_items(R"({ "values": [10, 1] }, "request_batch": 11)") ==
        "/jobs/0/event/2/request_batch is 11, more than the 10 items that an event may have; lower it, or leave it out "
        "for one request an event.");
  CHECK(only_text_of_pool(R"("speed": 0)") == "/jobs/0/speed is 0; allowed is above 0, at most 1000.");
  CHECK(only_text_of_pool(R"("speed": { "values": [1, -1] })") ==
        "/jobs/0/speed/values/1 is -1; allowed is above 0, at most 1000.");
  CHECK(only_text_of_pool(R"("speed": { "values": [] })") ==
        "/jobs/0/speed/values has 0 elements; 1 to 1,000 are needed.");
  CHECK(only_text_of_pool(R"("speed": { "uniform": { "low": 2, "high": 1 } })") ==
        "/jobs/0/speed/uniform/low is 2, above high, which is 1; exchange the two.");
}

TEST_CASE("jobs of no events, and more loops or requests than can be simulated, are refused") {
  CHECK(only_text_of_pool("\"events_per_job\": 0") == "/jobs/0/events_per_job is 0; allowed is 1 to 1,000,000,000.");
  CHECK(only_text("\"count\": 268,", "\"count\": 100000, \"concurrent_events\": 21,") ==
        "/jobs/0 brings the event loops (jobs times concurrent_events) to 2,100,000; at most 2,000,000 are simulated.");
  CHECK(only_text("268,\n      \"event\": [\n        { \"cpu\": \"110 s\" },\n        { \"cpu\": \"7 s\", \"part_of\": "
                  "\"emtrk\" },\n        { \"infer\": \"emtrk\", \"items\": 55000, \"request_batch\": 1719 }",
                  "1000000,\n      \"event\": [\n { \"infer\": \"emtrk\", \"items\": 55000, \"request_batch\": 1719, "
                  "\"in_flight\": 40, \"asynchronous\": true },\n { \"infer\": \"emtrk\", \"items\": 55000, "
                  "\"request_batch\": 1719, \"in_flight\": 20 }") ==
        "/jobs/0 brings the requests that may be in flight together to 52,000,000; at most 50,000,000 are simulated. "
        "Lower \"in_flight\", or the number of jobs.");
}

TEST_CASE("cores that no event loop uses, and a set-up of jobs without end, give warnings") {
  const auto idle = warnings_about_pool("\"threads\": 4, \"concurrent_events\": 3");
  REQUIRE(idle.size() == 1);
  CHECK(idle[0].text ==
        "/jobs/0/concurrent_events is 3, below the job's 4 threads, so that some of its cores are never used.");
  const auto unused = warnings_about_pool("\"job_setup\": \"30 s\"");
  REQUIRE(unused.size() == 1);
  CHECK(unused[0].text == "/jobs/0/job_setup has no effect without \"events_per_job\": these jobs never end.");
}

}  // namespace saturn::tests
