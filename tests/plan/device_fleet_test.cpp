#include "sim/plan/device_fleet.hpp"

#include <doctest/doctest.h>

#include "scenarios/demands.hpp"
#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

TEST_CASE("a node grows by devices, several nodes grow by nodes, several servers keep their proportions") {
  const DeviceFleet one_node(protodune(10, 4));
  CHECK(one_node.present_steps() == 4);
  CHECK(one_node.with_steps(7).servers[0].devices.count == 7);
  CHECK(one_node.with_steps(7).servers[0].nodes == 1);

  Scenario nodes = protodune(10, 2);
  nodes.servers[0].nodes = 5;
  const DeviceFleet by_nodes(nodes);
  CHECK(by_nodes.present_steps() == 5);
  CHECK(by_nodes.with_steps(3).servers[0].nodes == 3);
  CHECK(by_nodes.with_steps(3).servers[0].devices.count == 2);

  Scenario mixed = protodune(10, 4);
  mixed.servers.push_back(mixed.servers[0]);
  mixed.servers[1].nodes = 6;
  const DeviceFleet proportional(mixed);
  CHECK(proportional.present_steps() == 2);
  const Scenario grown = proportional.with_steps(5);
  CHECK(grown.servers[0].devices.count == 10);
  CHECK(grown.servers[1].nodes == 15);
  CHECK(device_count(proportional.with_steps(2)) == device_count(mixed));
}
