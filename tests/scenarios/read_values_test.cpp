#include <doctest/doctest.h>

#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

TEST_CASE("an ensemble is read with its steps in their order") {
  const ReadScenario read = batching_with({});
  CHECK(read.warnings.empty());
  CHECK(read.scenario.models.at("chain").ensemble == std::vector<std::string>{"clean", "tag"});
  CHECK(read.scenario.models.at("chain").service.empty());
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

TEST_CASE("jobs are read with all that they may do") {
  const Scenario scenario = sound_with({{"/jobs/0/count", "3"},
                                        {"/jobs/0/threads", "4"},
                                        {"/jobs/0/streams", "8"},
                                        {"/jobs/0/speed", R"({ "uniform": { "low": 0.8, "high": 1.2 } })"},
                                        {"/jobs/0/start_over", "10 min"},
                                        {"/jobs/0/events_per_job", "500"},
                                        {"/jobs/0/job_setup", "30 s"}})
                                .scenario;
  const JobPool& pool = scenario.jobs[0];
  CHECK(stream_count(pool) == 24);
  CHECK(shares_cores(pool));
  CHECK(std::get<UniformSpeed>(pool.speed).high == 1.2);
  CHECK(pool.start_over == Seconds{600.0});
  CHECK(events_per_stream(pool) == 63);
  CHECK(pool.job_setup == Seconds{30.0});
  const Scenario event =
      sound_with({{"/jobs/0/event/2", R"({ "infer": "emtrk", "label": "pn", "items": 100,
                                                             "asynchronous": true })"},
                  {"/jobs/0/event/-", R"({ "cpu": "1 s", "needs": ["pn"] })"},
                  {"/jobs/0/event/-", R"({ "infer": "emtrk", "items": { "poisson": { "mean": 17.5 } },
                                         "client_cost": { "per_request": "0.2 ms", "per_item": "1 us" } })"}})
          .scenario;
  CHECK(std::get<InferStage>(event.jobs[0].event[2]).asynchronous);
  CHECK(std::get<CpuStage>(event.jobs[0].event[3]).needs == std::vector<std::string>{"pn"});
  const auto& last = std::get<InferStage>(event.jobs[0].event[4]);
  CHECK(last.items.mean() == doctest::Approx(17.5));
  CHECK(last.request_batch == last.items.largest());
  CHECK(last.client_cost.per_request == Seconds{0.2e-3});
  CHECK(last.client_cost.per_item == Seconds{1e-6});
}

namespace {

/// With the dynamic batcher of "tag" on.
Scenario dynamic_with(std::vector<Override> changes) {
  changes.insert(changes.begin(), {"/models/tag/dynamic_batching", "true"});
  return batching_with(changes).scenario;
}

}  // namespace

TEST_CASE("every key of the dynamic batcher is read") {
  const Model tag = dynamic_with({{"/models/tag/preferred_batch_size", "[8, 4]"},
                                  {"/models/tag/max_queue_delay", "100 us"},
                                  {"/models/tag/batch_forming", "ahead"},
                                  {"/models/tag/item_lengths", "padded"},
                                  {"/models/tag/instances", "3"},
                                  {"/models/tag/priority_levels", "5"},
                                  {"/models/tag/default_priority_level", "2"},
                                  {"/models/tag/queue_policy",
                                   R"({ "max_queue_size": 7, "timeout": "10 ms", "timeout_action": "delay" })"}})
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
  const Model tag = batching_with({}).scenario.models.at("tag");
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
      dynamic_with({{"/models/tag/priority_levels", "4"},
                    {"/jobs/0/event/1/priority", "3"},
                    {"/jobs/0/event/1/item_lengths", "[0.5, 1, 2.5]"},
                    {"/servers/0/nic", "32 Gbps"},
                    {"/servers/0/balancing", "per_connection"},
                    {"/servers/0/dispatch", "power_of_two"},
                    {"/servers/0/host", R"({ "per_request": "1 ms", "per_item": "3 us", "workers": 2.5 })"},
                    {"/servers/0/devices/mig", "[0.5, 0.25, \"25 %\"]"},
                    {"/devices/t4/sharing", "processor_sharing"},
                    {"/models/tag/execution", "one_per_device"},
                    {"/models/tag/service/t4/host", R"({ "per_batch": "1 us" })"},
                    {"/servers/0/batch_workers", "2"},
                    {"/devices/t4/contention", "0.1"},
                    {"/devices/t4/contention_per_batch", "120 us"}});
  const auto& stage = std::get<InferStage>(scenario.jobs[0].event[1]);
  CHECK(stage.priority == 3);
  CHECK(stage.item_lengths == std::vector<double>{0.5, 1.0, 2.5});
  CHECK(scenario.servers[0].nic == Bandwidth{4e9});
  CHECK(scenario.servers[0].balancing == Balancing::per_connection);
  CHECK(scenario.servers[0].host.value().per_request == Seconds{1e-3});
  CHECK(scenario.servers[0].host.value().per_item == Seconds{3e-6});
  CHECK(scenario.servers[0].host.value().workers == 2.5);
  CHECK(scenario.servers[0].devices.mig == std::vector<double>{0.5, 0.25, 0.25});
  CHECK(batching_with({{"/servers/0/devices/interference", "0.4"}}).scenario.servers[0].devices.interference == 0.4);
  CHECK(scenario.devices.at("t4").sharing == DeviceSharing::processor_sharing);
  CHECK(scenario.devices.at("t4").contention == 0.1);
  CHECK(scenario.devices.at("t4").contention_per_batch == Seconds{120e-6});
  CHECK(scenario.models.at("tag").execution == ExecutionPolicy::one_per_device);
  CHECK(scenario.servers[0].batch_workers == 2.0);
}

TEST_CASE("the keys of the topology are read into the scenario") {
  // The sound scenario's jobs at "fnal", with links by way of "chicago" and "cern".
  const Scenario s = sound_with({{"/network", R"({ "links": [
                { "between": ["fnal", "chicago"], "bandwidth": "100 Gbps", "rtt": "1 ms", "bandwidth_back": "1 Gbps" },
                { "between": ["chicago", "iowa"], "bandwidth": "100 Gbps", "rtt": "10 ms", "per_flow": "2 Gbps" },
                { "between": ["chicago", "cern"], "bandwidth": "100 Gbps", "rtt": "100 ms" },
                { "between": ["cern", "iowa"], "bandwidth": "100 Gbps", "rtt": "110 ms" }],
              "sites": { "fnal": { "uplink": "10 Gbps", "cores": 1000 }, "cern": {} },
              "routes": [{ "between": ["iowa", "fnal"], "via": ["cern", "chicago"] }] })"},
                                 {"/servers/0/attached", R"({ "bus": "12 GB/s", "latency": "10 us" })"},
                                 {"/servers/0/site", "fnal"}})
                         .scenario;
  CHECK(s.sites.at("fnal").uplink == Bandwidth{1.25e9});
  CHECK(s.sites.at("fnal").cores == 1000);
  CHECK_FALSE(s.sites.at("cern").uplink);
  CHECK(s.links[0].bandwidth_back == Bandwidth{0.125e9});
  CHECK_FALSE(s.links[1].bandwidth_back);
  CHECK(s.links[1].per_flow == Bandwidth{0.25e9});
  CHECK(s.routes[0].site_a == "iowa");
  CHECK(s.routes[0].via == std::vector<std::string>{"cern", "chicago"});
  CHECK(s.servers[0].attached->bus == Bandwidth{12e9});
  CHECK(s.servers[0].attached->latency == Seconds{10e-6});
  CHECK(s.servers[0].balancing == Balancing::per_connection);
  CHECK(s.servers[0].dispatch == Dispatch::round_robin);
}

TEST_CASE("an alternative keeps its changes in their order, and as --set would take them") {
  const Scenario scenario = sound_with({{"/alternatives", R"([{ "name": "near", "set": {
          "/servers/0/site": "fnal", "/jobs/0/count": 5, "/title": "7",
          "/network/links/-": { "between": ["fnal", "fnal"], "bandwidth": "10 Gbps" } } }])"}})
                                .scenario;
  REQUIRE(scenario.alternatives.size() == 1);
  const std::vector<Override>& set = scenario.alternatives[0].set;
  REQUIRE(set.size() == 4);
  CHECK(set[0].pointer == "/servers/0/site");
  CHECK(set[0].value == "fnal");
  CHECK(set[1].value == "5");
  // Without its quotes it would be a number.
  CHECK(set[2].value == "\"7\"");
  CHECK(set[3].value == R"({"bandwidth":"10 Gbps","between":["fnal","fnal"]})");
}

TEST_CASE("a price is a quantity, or says from when and from whom it is") {
  const Scenario plain = sound_with({{"/devices/t4/price", "0.35 USD/h"}}).scenario;
  CHECK(plain.devices.at("t4").price == UsdPerHour{0.35});
  CHECK(plain.devices.at("t4").price_origin.source.empty());

  const Scenario dated =
      sound_with({{"/devices/t4/price", R"({ "value": "0.4 USD/h", "date": "2024-02-29", "source": "price list" })"},
                  {"/devices/t4/power", "70 W"},
                  {"/servers/0/host_price", R"({ "value": "7300 USD/month", "date": "2024-02" })"},
                  {"/network/sites", R"({ "iowa": { "egress": { "value": "0.12 USD/GB", "source": "contract" } } })"},
                  {"/costs", R"({ "core": { "value": "0.05 USD/h", "source": "bill" }, "core_power": "5 W",
                       "electricity": "150 USD/MWh" })"}})
          .scenario;
  const DeviceType& t4 = dated.devices.at("t4");
  CHECK(t4.price == UsdPerHour{0.4});
  CHECK(t4.price_origin.date == "2024-02-29");
  CHECK(t4.price_origin.source == "price list");
  CHECK(dated.servers[0].host_price->value == doctest::Approx(10.0));
  CHECK(dated.servers[0].host_price_origin.date == "2024-02");
  CHECK(dated.sites.at("iowa").egress == UsdPerGigabyte{0.12});
  CHECK(dated.sites.at("iowa").egress_origin.source == "contract");
  CHECK(dated.costs.core == UsdPerHour{0.05});
  CHECK(dated.costs.core_origin.source == "bill");
  CHECK(dated.costs.core_power == Watts{5});
  CHECK(dated.costs.electricity == UsdPerKilowattHour{0.15});
}

TEST_CASE("one part of a dated price may be changed") {
  const Scenario changed = sound_with({{"/devices/t4/price", R"({ "value": "0.4 USD/h", "source": "price list" })"},
                                       {"/devices/t4/price/value", "0.3 USD/h"}})
                               .scenario;
  CHECK(changed.devices.at("t4").price == UsdPerHour{0.3});
  CHECK(changed.devices.at("t4").price_origin.source == "price list");
  const Scenario replaced = sound_with({{"/devices/t4/price", R"({ "value": "0.4 USD/h", "source": "price list" })"},
                                        {"/devices/t4/price", "0.3 USD/h"}})
                                .scenario;
  CHECK(replaced.devices.at("t4").price_origin.source.empty());
}

}  // namespace saturn::tests
