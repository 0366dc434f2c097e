#include "sim/engine/run_length.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <variant>

#include "sim/formula/short_windows.hpp"
#include "sim/formula/system.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

/// Windows last until the events of all jobs together tell the mean event time as precisely as asked.
using namespace saturn;
using namespace saturn::tests;

namespace {

constexpr double slices_of_cycle = 8.0;

/// Clients that would keep a server of 1 s busy for `load` of the time if they never waited.
Scenario clients(std::uint64_t count, double precision, double load = 0.05) {
  const double think_s = static_cast<double>(count) / load - 1.0;
  Scenario scenario = simple_loop({.clients = count, .think = ExponentialTime{Seconds{think_s}}});
  scenario.run.precision = precision;
  return scenario;
}

double window_cycles(const Scenario& scenario) {
  const RunLength length = run_length_for(scenario);
  return (length.slices - length.least_warm_up) / slices_of_cycle;
}

double warm_up_cycles(const Scenario& scenario) {
  return run_length_for(scenario).least_warm_up / slices_of_cycle;
}

}  // namespace

TEST_CASE("many jobs are followed for as few event times as bring the events that the precision needs") {
  // Three standard errors of times that vary by a half are 1 % after (3 * 0.5 / 0.01)^2 = 22,500 events, and 0.2 %
  // after 25 times as many. Quantiles want 5,000 whatever the precision.
  CHECK(least_cycles(clients(1, 0.01)) == 24);
  CHECK(least_cycles(clients(900, 0.01)) == 24);
  CHECK(least_cycles(clients(2250, 0.01)) == 10);
  CHECK(least_cycles(clients(20'000, 0.01)) == 6);
  CHECK(least_cycles(clients(20'000, 0.002)) == 24);
  CHECK(least_cycles(clients(56'250, 0.002)) == 10);
  CHECK(least_cycles(clients(500, 0.2)) == 10);
}

TEST_CASE("a stated number of event times is kept, however many the jobs are") {
  for (const std::uint64_t cycles : {1U, 24U, 600U}) {
    Scenario scenario = clients(20'000, 0.01);
    scenario.run.cycles = cycles;
    CHECK(least_cycles(scenario) == cycles);
    CHECK(window_cycles(scenario) >= static_cast<double>(cycles));
  }
}

TEST_CASE("a small pool beside a large one still has enough events for an interval of its own") {
  Scenario scenario = clients(20'000, 0.01);
  scenario.jobs.push_back(scenario.jobs.front());
  scenario.jobs.back().count = 100;
  CHECK(least_cycles(scenario) == 12);
  scenario.jobs.back().count = 2;
  CHECK(least_cycles(scenario) == 24);
}

TEST_CASE("where events arrive from outside windows last 24 event times, however many the loops are") {
  Scenario scenario = clients(20'000, 0.01);
  scenario.jobs.front().arrivals = PoissonArrivals{Rate{10.0}};
  CHECK(least_cycles(scenario) == 24);
}

TEST_CASE("windows of many jobs see fifty relaxation times of the fullest queue") {
  // 20,000 / load events in an event time, and 1/(C (1 - sqrt(load))^2) to forget a queue.
  CHECK(least_cycles(clients(20'000, 0.01, 0.9)) == 6);
  CHECK(least_cycles(clients(20'000, 0.01, 0.97)) == 11);
  CHECK(least_cycles(clients(20'000, 0.01, 1.0)) == 24);
  CHECK(least_cycles(clients(20'000, 0.01, 1.5)) == 24);
  Scenario constant = clients(20'000, 0.01, 1.5);
  std::get<CpuStage>(constant.jobs.front().event.front()).time = ConstantTime{Seconds{13'000.0}};
  CHECK(least_cycles(constant) == 6);
}

TEST_CASE("the devices of a node share its queue, and each node has one of its own") {
  // A hundred devices that together do what one of 1 s does.
  const auto hundred = [](std::uint64_t nodes) {
    Scenario scenario = simple_loop({.clients = 20'000,
                                     .nodes = nodes,
                                     .devices = 100 / nodes,
                                     .think = ExponentialTime{Seconds{24'900.0}},
                                     .service = ConstantTime{Seconds{100.0}}});
    scenario.run.precision = 0.01;
    return scenario;
  };
  // At load 0.8: 50 * 100 / (25,000 * (1 - sqrt(0.8))^2) = 17.9.
  CHECK(least_cycles(hundred(1)) == 6);
  CHECK(least_cycles(hundred(100)) == 18);
  Scenario central = hundred(100);
  central.servers.front().balancing = Balancing::central_queue;
  CHECK(least_cycles(central) == 6);
  // Nodes of which the least busy is taken are busy together, but for connections that stay where they are.
  Scenario least_busy = hundred(100);
  least_busy.servers.front().dispatch = Dispatch::least_outstanding;
  CHECK(least_cycles(least_busy) == 6);
  least_busy.servers.front().balancing = Balancing::per_connection;
  CHECK(least_cycles(least_busy) == 18);
}

TEST_CASE(
    "where means alone are asked for neither queues nor a fine precision make windows of many drawn jobs longer") {
  CHECK(cycles_for_means(clients(20'000, 0.01, 1.0)) == 6);
  CHECK(cycles_for_means(clients(20'000, 0.002)) == 6);
  CHECK(cycles_for_means(clients(2250, 0.002, 1.5)) == 10);
  CHECK(cycles_for_means(clients(900, 0.01)) == 24);
  Scenario stated = clients(20'000, 0.01);
  stated.run.cycles = 40;
  CHECK(cycles_for_means(stated) == 40);
  // Where nothing is drawn there are no replications to average over.
  Scenario constant = clients(20'000, 0.002);
  std::get<CpuStage>(constant.jobs.front().event.front()).time = ConstantTime{Seconds{400'000.0}};
  CHECK(cycles_for_means(constant) == least_cycles(constant));
}

TEST_CASE("where means alone are asked for a million requests without chance need no longer window than chance does") {
  // Each stream sends one request an event time: 24 times 40,000 of them are fewer than a million, 24 times 42,000
  // more.
  const auto constant = [](std::uint64_t streams) {
    Scenario scenario = clients(streams, 0.002);
    std::get<CpuStage>(scenario.jobs.front().event.front()).time = ConstantTime{Seconds{400'000.0}};
    scenario.run.cycles = 24;
    return scenario;
  };
  CHECK(!control_for_means(constant(40'000)).brief);
  CHECK(control_for_means(constant(42'000)).brief);
  CHECK(control_for_means(constant(42'000)).cycles == 24);
  Scenario drawn = clients(200'000, 0.002);
  drawn.run.cycles = 24;
  CHECK(!control_for_means(drawn).brief);
}

TEST_CASE("windows of many jobs are short, and as much is removed before them as before long ones") {
  const Scenario few = clients(200, 0.01);
  const Scenario many = clients(20'000, 0.01);
  CHECK(window_cycles(few) == doctest::Approx(24));
  CHECK(window_cycles(many) == doctest::Approx(6));
  CHECK(warm_up_cycles(many) == warm_up_cycles(few));
}

namespace {

/// 2,000 clients far from a server that takes whatever waits as one batch, in a tenth of a second.
Scenario far_batches(const TimeDistribution& think, double round_trip_s, double megabytes, double s_per_item = 0.0) {
  Scenario scenario = simple_loop({.clients = 2000, .think = think});
  Model& model = scenario.models.begin()->second;
  model.dynamic_batching = true;
  model.max_batch_size = 10'000;
  model.input = Bytes{1e6 * megabytes};
  model.service["device"].per_batch = ConstantTime{Seconds{0.1}};
  model.service["device"].per_item = ConstantTime{Seconds{s_per_item}};
  scenario.servers.front().site = "there";
  scenario.links.push_back({.site_a = "here",
                            .site_b = "there",
                            .bandwidth = Bandwidth{1e8},
                            .round_trip_time = Seconds{round_trip_s},
                            .per_flow = Bandwidth{1e8}});
  return scenario;
}

}  // namespace

TEST_CASE("windows have five hundred times the events of a batch, in which nobody is who travels or waits for a link") {
  const TimeDistribution scattered = ExponentialTime{Seconds{10.0}};
  const TimeDistribution alike = UniformTime{Seconds{9.9}, Seconds{10.1}};
  const double at_once = window_cycles(far_batches(scattered, 0.0, 0.0));
  // Of 15 s an event 5 are on the way: a third of the clients may come back together, where nothing scatters them.
  CHECK(window_cycles(far_batches(scattered, 5.0, 0.0)) == doctest::Approx(at_once).epsilon(0.05));
  CHECK(window_cycles(far_batches(alike, 5.0, 0.0)) >= 500.0 * 5.0 / 15.1);
  // The time of a batch is none on the way, though events share it: a sixth of the clients are in batches.
  Scenario slow = far_batches(scattered, 0.0, 0.0);
  slow.models.begin()->second.service["device"].per_batch = ConstantTime{Seconds{2.0}};
  CHECK(window_cycles(slow) >= 500.0 * 2.0 / 12.0);
  // The link carries 100 events a second and makes 2,000 clients wait for 10 s, in which the server does next to
  // nothing: no longer than any full queue asks for.
  CHECK(window_cycles(far_batches(scattered, 0.0, 1.0)) == usual_cycles);
  // With 9.8 ms an item batches grow until 100 x (0.1 s + b x 9.8 ms) = b, to 500.
  CHECK(window_cycles(far_batches(scattered, 0.0, 1.0, 0.0098)) >= 500.0 * 500.0 / 2000.0);
  // Batches of a second, whatever is in them, have 100.
  slow = far_batches(scattered, 0.0, 1.0);
  slow.models.begin()->second.service["device"].per_batch = ConstantTime{Seconds{1.0}};
  CHECK(window_cycles(slow) >= 500.0 * 100.0 / 2000.0);
}
