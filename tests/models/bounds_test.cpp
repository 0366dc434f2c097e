#include "models/bounds.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace saturn {

namespace {

/// Jobs that think 116 s, use one of 4 GPUs for 2 s and one of 50 link units for 2 s, and a resource they never use.
ClosedNetwork reconstruction() {
  ClosedNetwork network;
  network.resources = {{.name = "fnal to iowa", .kind = ResourceKind::link, .units = 50.0},
                       {.name = "unused", .kind = ResourceKind::cpu, .units = 1.0},
                       {.name = "gke/t4", .kind = ResourceKind::gpu, .units = 4.0}};
  network.classes = {
      {.name = "reco", .clients = 300.0, .ideal_event_time = Seconds{120.0}, .think_time = Seconds{116.0}}};
  network.work = Eigen::MatrixXd{{2.0, 0.0, 2.0}};
  return network;
}

}  // namespace

TEST_CASE("the resource with the largest demand binds first, at t_ideal over its demand, and the next one after it") {
  const Bounds bounds = asymptotic_bounds(reconstruction());
  REQUIRE(bounds.knees.size() == 2);
  CHECK(bounds.knees[0].resource == 2);
  CHECK(bounds.knees[0].demand_s == doctest::Approx(0.5));
  CHECK(bounds.knees[0].clients == doctest::Approx(240.0));
  CHECK(bounds.knees[1].resource == 0);
  CHECK(bounds.knees[1].clients == doctest::Approx(3000.0));
  CHECK(bounds.ideal_event_time_s == doctest::Approx(120.0));
  CHECK(bounds.event_time_s == doctest::Approx(150.0));
  CHECK(bounds.events_per_s == doctest::Approx(2.0));
  CHECK(clients_within(bounds, 0.01) == doctest::Approx(242.4));
}

TEST_CASE("below the knee the bound is the ideal event time") {
  const Bounds bounds = asymptotic_bounds(with_clients(reconstruction(), 239.0));
  CHECK(bounds.clients == doctest::Approx(239.0));
  CHECK(bounds.event_time_s == doctest::Approx(120.0));
  CHECK(bounds.events_per_s == doctest::Approx(239.0 / 120.0));
}

TEST_CASE("several classes count with the rate of events that each would have unhindered") {
  ClosedNetwork network = reconstruction();
  network.classes.push_back(
      {.name = "trigger", .clients = 100.0, .ideal_event_time = Seconds{10.0}, .think_time = Seconds{9.0}});
  network.work = Eigen::MatrixXd{{2.0, 0.0, 2.0}, {0.0, 0.0, 1.0}};
  // 300 clients give 2.5 events/s and 100 clients give 10 events/s: 12.5 events/s in all.
  const Bounds bounds = asymptotic_bounds(network);
  CHECK(bounds.ideal_event_time_s == doctest::Approx(400.0 / 12.5));
  CHECK(bounds.knees[0].demand_s == doctest::Approx((2.5 * 0.5 + 10.0 * 0.25) / 12.5));
  CHECK(bounds.knees[0].clients == doctest::Approx(32.0 / 0.3));
  CHECK(bounds.event_time_s == doctest::Approx(400.0 * 0.3));
  const ClosedNetwork halved = with_clients(network, 200.0);
  CHECK(halved.classes[0].clients == doctest::Approx(150.0));
  CHECK(halved.classes[1].clients == doctest::Approx(50.0));
}

TEST_CASE("without contention any number of clients stays within the tolerated slowdown") {
  ClosedNetwork network = reconstruction();
  network.work.setZero();
  const Bounds bounds = asymptotic_bounds(network);
  CHECK(bounds.knees.empty());
  CHECK(std::isinf(clients_within(bounds, 0.0)));
}

TEST_CASE("bounds refuse networks that have none") {
  CHECK_THROWS_WITH_AS(asymptotic_bounds({}), "asymptotic_bounds: a network without job classes",
                       std::invalid_argument);
  ClosedNetwork timeless = reconstruction();
  timeless.classes[0].ideal_event_time = Seconds{0.0};
  CHECK_THROWS_WITH_AS(asymptotic_bounds(timeless), "asymptotic_bounds: the events of job class reco take no time",
                       std::invalid_argument);
  ClosedNetwork idle = reconstruction();
  idle.classes[0].clients = 0.0;
  CHECK_THROWS_WITH_AS(asymptotic_bounds(idle), "asymptotic_bounds: a network without clients", std::invalid_argument);
}

}  // namespace saturn
