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

}  // namespace saturn::tests
