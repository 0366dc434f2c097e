#include "sim/plan/alternatives.hpp"

#include <doctest/doctest.h>

#include "scenarios/demands.hpp"
#include "scenarios/read_scenario.hpp"
#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

namespace {

/// "pointer=value", one a line.
std::string settings_of(const Alternative& alternative) {
  std::string text;
  for (const Override& setting : alternative.settings) text += text_of(setting) + "\n";
  return text;
}

std::string names_of(const std::vector<Alternative>& all) {
  std::string text;
  for (const Alternative& one : all) text += (text.empty() ? "" : ", ") + one.name;
  return text;
}

}  // namespace

TEST_CASE("a scenario with a service elsewhere gives four alternatives, as changes that --set can make") {
  const std::vector<Alternative> all = alternatives(protodune(268, 4), {});
  CHECK(names_of(all) == "CPU only, GPU in each worker node, service on site, service at iowa");
  // 268 jobs of one thread fill nine nodes of 32 cores.
  CHECK(settings_of(all[1]) ==
        "/servers/0/site=fnal\n/servers/0/nodes=9\n/servers/0/devices/count=1\n"
        "/servers/0/attached={\"bus\":\"12 GB/s\",\"latency\":\"10 us\"}\n/servers/0/nic=null\n");
  CHECK(settings_of(all[2]) ==
        "/servers/0/site=fnal\n"
        "/network/links/-={\"between\":[\"fnal\",\"fnal\"],\"bandwidth\":\"10 Gbps\",\"rtt\":\"0.2 ms\"}\n");
  CHECK(settings_of(all[3]).empty());
  CHECK(all[3].service);
}

TEST_CASE("a service on site needs no platform file, and has a local network instead") {
  const std::vector<Alternative> all = alternatives(on_platform(protodune(268, 4)), {});
  CHECK(names_of(all) == "CPU only, GPU in each worker node, service on site, service at iowa");
  CHECK(settings_of(all[2]) ==
        "/servers/0/site=fnal\n/network/platform=null\n"
        "/network/links=[{\"between\":[\"fnal\",\"fnal\"],\"bandwidth\":\"10 Gbps\",\"rtt\":\"0.2 ms\"}]\n");
  CHECK_FALSE(cpu_only_scenario(on_platform(protodune(268, 4))).platform);
}

TEST_CASE("with GPUs in the worker nodes, jobs of many threads fill more nodes") {
  Scenario scenario = protodune(268, 4);
  scenario.jobs[0].threads = 4;
  CHECK(settings_of(alternatives(scenario, {})[1]).find("/servers/0/nodes=34\n") != std::string::npos);
  CHECK(settings_of(alternatives(scenario, {.node_cores = 128})[1]).find("/servers/0/nodes=9\n") != std::string::npos);
  scenario.jobs[0].threads = 64;
  CHECK(settings_of(alternatives(scenario, {})[1]).find("/servers/0/nodes=268\n") != std::string::npos);
}

TEST_CASE("what stands in the worker nodes is called what it is") {
  Scenario scenario = closed_loop(10, 1, ConstantTime{Seconds{9}}, ConstantTime{Seconds{1}});
  for (auto& [type, device] : scenario.devices) device.kind = ResourceKind::fpga;
  CHECK(names_of(alternatives(scenario, {})) == "CPU only, FPGA in each worker node, service on site");
}

TEST_CASE("a service that is on site already is compared as it stands") {
  const Scenario scenario = closed_loop(10, 1, ConstantTime{Seconds{9}}, ConstantTime{Seconds{1}});
  CHECK(names_of(alternatives(scenario, {})) == "CPU only, GPU in each worker node, service on site");
}

TEST_CASE("what cannot be made says why") {
  Scenario scenario = closed_loop(10, 1, ConstantTime{Seconds{9}}, ConstantTime{Seconds{1}});
  CHECK(alternatives(scenario, {})[0].why_not ==
        "/jobs/0/event/1 (call) lacks \"cpu_alternative\", the time of the same inferences on the job's own core");
  scenario.servers.push_back(scenario.servers.front());
  CHECK(alternatives(scenario, {})[1].why_not ==
        "the scenario has 2 servers, not one; say what is meant in /alternatives");
  Scenario spread = protodune(268, 4);
  spread.jobs.push_back(spread.jobs.front());
  spread.jobs[1].site = "cern";
  CHECK(alternatives(spread, {})[1].why_not == "jobs run at several sites; say what is meant in /alternatives");
  CHECK(alternatives(spread, {})[2].why_not == alternatives(spread, {})[1].why_not);
}

TEST_CASE("a scenario's own alternatives replace those that would be made, and the first of them is the service") {
  Scenario scenario = protodune(268, 4);
  scenario.alternatives = {{.name = "as it is"}, {.name = "eight GPUs", .set = {{"/servers/0/devices/count", "8"}}}};
  const std::vector<Alternative> all = alternatives(scenario, {});
  CHECK(names_of(all) == "CPU only, as it is, eight GPUs");
  CHECK(settings_of(all[2]) == "/servers/0/devices/count=8\n");
  CHECK(all[1].service);
  CHECK(!all[2].service);
}

TEST_CASE("CPU only is the sum of the stages, without what is done for the service alone") {
  const Scenario cpu = cpu_only_scenario(protodune(268, 4));
  CHECK(cpu.servers.empty());
  CHECK(client_count(cpu) == 268);
  const ClosedNetwork network = closed_network(cpu);
  CHECK(network.resources.empty());
  CHECK(network.classes.at(0).ideal_event_time.value == 330.0);
}
