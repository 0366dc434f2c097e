#include <doctest/doctest.h>

#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

Scenario with(const std::vector<Override>& changes) {
  return read_scenario_text(batching_scenario(), "s.json", changes).scenario;
}

const std::vector<Override> dynamic{{"/models/tag/dynamic_batching", "true"}};

std::vector<Override> dynamic_and(std::vector<Override> changes) {
  changes.insert(changes.begin(), dynamic.begin(), dynamic.end());
  return changes;
}

}  // namespace

TEST_CASE("every key of the dynamic batcher is read") {
  const Model tag = with(dynamic_and({{"/models/tag/preferred_batch_size", "[8, 4]"},
                                      {"/models/tag/max_queue_delay", "100 us"},
                                      {"/models/tag/batch_forming", "ahead"},
                                      {"/models/tag/item_lengths", "padded"},
                                      {"/models/tag/instances", "3"},
                                      {"/models/tag/priority_levels", "5"},
                                      {"/models/tag/default_priority_level", "2"},
                                      {"/models/tag/queue_policy",
                                       R"({ "max_queue_size": 7, "timeout": "10 ms", "timeout_action": "delay" })"}}))
                        .models.at("tag");
  CHECK(tag.dynamic_batching);
  CHECK(tag.preferred_batch_size == std::vector<std::uint64_t>{8, 4});
  CHECK(tag.max_queue_delay == Seconds{100e-6});
  CHECK(tag.forming == BatchForming::ahead);
  CHECK(tag.lengths == LengthRule::padded);
  CHECK(tag.instances == 3);
  CHECK(tag.priority_levels == 5);
  CHECK(tag.default_priority_level == 2);
  CHECK(tag.queue_policy.max_queue_size == 7);
  CHECK(tag.queue_policy.timeout == Seconds{0.01});
  CHECK(tag.queue_policy.timeout_action == TimeoutAction::delay);
}

TEST_CASE("what is left out of a model is off: one instance, no dynamic batching, no limits") {
  const Model tag = with({}).models.at("tag");
  CHECK_FALSE(tag.dynamic_batching);
  CHECK(tag.instances == 1);
  CHECK(tag.preferred_batch_size.empty());
  CHECK(tag.max_queue_delay == Seconds{0.0});
  CHECK(tag.priority_levels == 1);
  CHECK_FALSE(tag.default_priority_level);
  CHECK_FALSE(tag.queue_policy.timeout);
  CHECK_FALSE(tag.triton_config);
}

TEST_CASE("keys of calls, servers and devices are read") {
  const Scenario scenario =
      with(dynamic_and({{"/models/tag/priority_levels", "4"},
                        {"/jobs/0/event/1/priority", "3"},
                        {"/jobs/0/event/1/item_lengths", "[0.5, 1, 2.5]"},
                        {"/servers/0/balancing", "per_connection"},
                        {"/servers/0/dispatch", "power_of_two"},
                        {"/servers/0/host", R"({ "per_request": "1 ms", "per_item": "3 us", "workers": 2.5 })"},
                        {"/servers/0/devices/mig", "[0.5, 0.25, \"25 %\"]"},
                        {"/devices/t4/sharing", "processor_sharing"},
                        {"/devices/t4/contention", "0.1"}}));
  const auto& stage = std::get<InferStage>(scenario.jobs[0].event[1]);
  CHECK(stage.priority == 3);
  CHECK(stage.item_lengths == std::vector<double>{0.5, 1.0, 2.5});
  CHECK(scenario.servers[0].balancing == Balancing::per_connection);
  CHECK(scenario.servers[0].host.value().per_request == Seconds{1e-3});
  CHECK(scenario.servers[0].host.value().per_item == Seconds{3e-6});
  CHECK(scenario.servers[0].host.value().workers == 2.5);
  CHECK(scenario.servers[0].devices.mig == std::vector<double>{0.5, 0.25, 0.25});
  CHECK(with({{"/servers/0/devices/interference", "0.4"}}).servers[0].devices.interference == 0.4);
  CHECK(scenario.devices.at("t4").sharing == DeviceSharing::processor_sharing);
  CHECK(scenario.devices.at("t4").contention == 0.1);
}

TEST_CASE("preferred sizes fit into a batch and are named once") {
  CHECK(only_text_with(dynamic_and({{"/models/tag/preferred_batch_size", "[16, 65]"}})) ==
        "/models/tag/preferred_batch_size/1 is 65, above max_batch_size, which is 64; lower the first or raise the "
        "second.");
  CHECK(only_text_with(dynamic_and({{"/models/tag/preferred_batch_size", "[16, 4, 16]"}})) ==
        "/models/tag/preferred_batch_size/2 is 16 a second time; name each size once.");
}

TEST_CASE("what only the dynamic batcher heeds is refused without it") {
  const auto refused = [](const std::string& key, const std::string& value) {
    return only_text_with({{"/models/tag/" + key, value}}) ==
           "/models/tag/" + key +
               " is for the dynamic batcher, which this model does not use; add \"dynamic_batching\": true to the "
               "model, "
               "or leave \"" +
               key + "\" out.";
  };
  CHECK(refused("max_queue_delay", "100 us"));
  CHECK(refused("preferred_batch_size", "[4]"));
  CHECK(refused("batch_forming", "ahead"));
  CHECK(refused("priority_levels", "2"));
  CHECK(refused("default_priority_level", "1"));
  CHECK(refused("queue_policy", R"({ "timeout": "1 s" })"));
  CHECK(complaints_about(batching_scenario(), {{"/models/tag/max_queue_delay", "0 s"}}).empty());
}

TEST_CASE("priorities stay within the levels of every model that a request reaches") {
  CHECK(
      only_text_with({{"/jobs/0/event/1/priority", "1"}}) ==
      "/jobs/0/event/1/priority is 1, but the model \"tag\" has no levels of priority; give it \"priority_levels\", or "
      "leave \"priority\" out.");
  CHECK(only_text_with(dynamic_and({{"/models/tag/priority_levels", "2"}, {"/jobs/0/event/1/priority", "3"}})) ==
        "/jobs/0/event/1/priority is 3, but /models/tag/priority_levels is 2; lower the first or raise the second.");
  CHECK(only_text_with(dynamic_and({{"/models/tag/priority_levels", "2"}, {"/jobs/0/event/0/priority", "3"}})) ==
        "/jobs/0/event/0/priority is 3, but /models/tag/priority_levels is 2; lower the first or raise the second.");
  CHECK(only_text_with(
            dynamic_and({{"/models/tag/priority_levels", "2"}, {"/models/tag/default_priority_level", "3"}})) ==
        "/models/tag/default_priority_level is 3, above priority_levels, which is 2; lower the first or raise the "
        "second.");
  CHECK(only_text_with(dynamic_and({{"/models/tag/queue_policy", R"({ "timeout_action": "delay" })"}})) ==
        "/models/tag/queue_policy/timeout_action says what becomes of requests that time out, but there is no "
        "\"timeout\"; add one, or leave \"timeout_action\" out.");
}

TEST_CASE("the slices of a device are no more than the device") {
  CHECK(only_text_with({{"/servers/0/devices/mig", "[0.5, 0.25, 0.5]"}}) ==
        "/servers/0/devices/mig adds up to 1.25; the slices of a device have at most 1 in sum: lower or drop one.");
  CHECK(complaints_about(batching_scenario(), {{"/servers/0/devices/mig", "[0.1, 0.2, 0.7]"}}).empty());
}

TEST_CASE("a central queue has its nodes to itself") {
  const Override central{"/servers/0/balancing", "central_queue"};
  CHECK(complaints_about(batching_scenario(), {central}).empty());
  CHECK(only_text_with({central, {"/servers/0/nic", "10 Gbps"}}) ==
        "/servers/0/nic limits each node, but with \"balancing\": \"central_queue\" a request has reached no node "
        "while it "
        "waits; leave \"nic\" out, or balance per request.");
  CHECK(only_text_with({central, {"/servers/0/nodes", "2"}, {"/servers/0/devices/interference", "0.4"}}) ==
        "/servers/0/devices/interference is between the devices of one node, but with \"balancing\": "
        "\"central_queue\" the devices of all nodes serve one queue and are not told apart by nodes; leave it out, or "
        "balance per request.");
  CHECK(only_text_with({{"/servers/0/devices/mig", "[0.5, 0.5]"}, {"/servers/0/devices/interference", "0.4"}}) ==
        "/servers/0/devices/interference is measured between whole devices and says nothing of slices; leave it or "
        "\"mig\" out.");
  const ReadScenario with_dispatch = read_scenario_text(
      batching_scenario(), "mine.json", std::vector<Override>{central, {"/servers/0/dispatch", "random"}});
  REQUIRE(with_dispatch.warnings.size() == 1);
  CHECK(
      with_dispatch.warnings[0].text ==
      "/servers/0/dispatch has no meaning with \"balancing\": \"central_queue\", where the next free instance takes a "
      "request.");
  const std::string second =
      R"({ "name": "two", "site": "fnal", "devices": { "type": "t4", "count": 1 }, "models": ["tag"] )";
  CHECK(complaints_about(batching_scenario(), {{"/servers/-", second + "}"}}).empty());
  CHECK(only_text_with({central, {"/servers/-", second + R"(, "balancing": "central_queue" })"}}) ==
        "/servers/0 and /servers/1 both hold \"tag\", but a central queue joins the nodes of one server only; make one "
        "server of them, or balance per request.");
  CHECK(only_text_with({{"/servers/0/balancing", "per_connection"}, {"/servers/-", second + "}"}}) ==
        "/servers/1 and /servers/0 both hold \"tag\" but spread its requests differently; give both the same "
        "\"balancing\".");
}

TEST_CASE("more instances than a run can hold are refused") {
  CHECK(only_text_with({{"/models/tag/instances", "1000"}, {"/servers/0/nodes", "10000"}}) ==
        "/servers/0 brings the instances of models to 40,080,000; at most 10,000,000 are simulated.");
}

}  // namespace saturn::tests
