#include "sim/plan/needed_devices.hpp"

#include <doctest/doctest.h>

#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

TEST_CASE("each device more carries as many clients more as the bound allows with it") {
  // An event takes 9 + 1 s, of which a device is busy for 1 s: one of n carries 10·n·(1 + tolerance) by hand.
  const Scenario scenario = closed_loop(25, 2, ConstantTime{Seconds{9}}, ConstantTime{Seconds{1}});
  const DeviceNeed need = needed_devices(scenario, evaluate_by({.slowdown = bound_slowdown}));
  CHECK(need.tolerances == std::vector<double>{0.01, 0.05, 0.2});
  CHECK(need.load == 25);
  CHECK(need.devices == 2);
  CHECK_FALSE(need.wall);
  REQUIRE(need.fleets.size() >= 5);
  for (const FleetLoad& fleet : need.fleets)
    for (std::size_t t = 0; t < need.tolerances.size(); ++t)
      CHECK(fleet.carried[t] ==
            doctest::Approx(10.0 * static_cast<double>(fleet.devices) * (1 + need.tolerances[t])).epsilon(0.02));
  CHECK(need.fleets.back().carried.front() >= need.most_load);
}

TEST_CASE("what the simulation finds below the bound holds in proportion for the fleets between") {
  // The simulator makes every event as slow as a system with a quarter more jobs would be.
  const Scenario scenario = closed_loop(25, 2, ConstantTime{Seconds{9}}, ConstantTime{Seconds{1}});
  const auto pessimist = [](const Scenario& one) {
    Scenario more = one;
    more.jobs[0].count = more.jobs[0].count * 5 / 4;
    return bound_slowdown(more);
  };
  const DeviceNeed need = needed_devices(scenario, evaluate_by({.slowdown = pessimist}));
  for (const FleetLoad& fleet : need.fleets)
    CHECK(fleet.carried[1] == doctest::Approx(0.8 * 10.5 * static_cast<double>(fleet.devices)).epsilon(0.08));
  CHECK(need.fleets.front().simulated[1]);
  CHECK_FALSE(need.fleets[2].simulated[1]);
}

TEST_CASE(
    "where the simulation finds far less than the bound, fleets go on until one carries the scenario's own jobs") {
  // As slow as with five times the jobs: one of n devices carries 2·n within 0 %, where the bound says 10·n.
  const Scenario scenario = closed_loop(25, 2, ConstantTime{Seconds{9}}, ConstantTime{Seconds{1}});
  const auto pessimist = [](const Scenario& one) {
    Scenario more = one;
    more.jobs[0].count = more.jobs[0].count * 5;
    return bound_slowdown(more);
  };
  const DeviceNeed need = needed_devices(scenario, evaluate_by({.slowdown = pessimist}));
  CHECK(need.fleets.back().carried.front() >= need.load);
  CHECK(need.fleets.back().devices == doctest::Approx(25.0 / 2.02).epsilon(0.2));
}

TEST_CASE("ProtoDUNE's network card is the wall that no number of GPUs moves") {
  // 956.3 jobs, as the plan's own test computes by hand.
  const DeviceNeed need =
      needed_devices(protodune(800, 4), [](std::span<const Scenario>) -> std::vector<Results> { throw OutOfBudget(); });
  REQUIRE(need.wall);
  CHECK(need.wall->resource == "gke nic in");
  CHECK(need.wall->at == doctest::Approx(956.3).epsilon(0.001));
  CHECK(need.most_load == doctest::Approx(1.1 * need.wall->at));
  CHECK(need.cut);
  CHECK_FALSE(need.fleets.front().simulated[0]);
}
