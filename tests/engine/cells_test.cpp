#include "sim/run/cells.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/laws/arrival_law.hpp"
#include "models/laws/worker_nodes.hpp"
#include "models/results/farm_outcome.hpp"
#include "models/results/results.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/topology/cell.hpp"
#include "scenarios/topology/routes.hpp"
#include "sim/engine/run_length.hpp"
#include "sim/formula/system.hpp"
#include "sim/run/replications.hpp"
#include "tests/engine/drawn_scenarios.hpp"
#include "tests/engine/known_systems.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

/// A part of a farm, for the whole of it.
using namespace saturn;
using namespace saturn::tests;

namespace {

/// The transfers of one job fill no link, so that wider ones change nothing for it.
void cap_transfers(Scenario& scenario) {
  Bandwidth least{1e15};
  for (const Link& link : scenario.links) least = std::min({least, link.bandwidth, bandwidth_back(link)});
  for (const auto& [name, site] : scenario.sites) least = std::min(least, site.uplink.value_or(least));
  constexpr double transfers = 1000.0;
  for (Link& link : scenario.links) link.per_flow = Bandwidth{least.value / transfers};
}

/// Calls in flight together use as many devices as there are, a central queue has the hosts of all nodes for one
/// request, and speeds of jobs are quantiles: a few devices, hosts and jobs are unlike many even by the formulas.
void call_one_by_one(Scenario& scenario) {
  for (Server& server : scenario.servers)
    if (server.balancing == Balancing::central_queue) server.host.reset();
  for (JobPool& pool : scenario.jobs) {
    pool.speed = ConstantSpeed{};
    for (Stage& stage : pool.event) {
      std::visit([](auto& one) { one.needs.clear(); }, stage);
      if (auto* infer = std::get_if<InferStage>(&stage)) {
        infer->in_flight = 1;
        infer->asynchronous = false;
      }
    }
  }
}

/// So many of the same side by side, over links that are as many times as wide.
Scenario many_of(Scenario scenario, std::uint64_t k) {
  const auto times = static_cast<double>(k);
  for (JobPool& pool : scenario.jobs) {
    pool.count *= k;
    if (pool.arrivals) pool.arrivals = PoissonArrivals{Rate{mean_rate(*pool.arrivals).value * times}};
    if (pool.buffer) *pool.buffer *= k;
  }
  for (Server& server : scenario.servers) server.nodes *= k;
  for (Link& link : scenario.links) {
    link.bandwidth.value *= times;
    if (link.bandwidth_back) link.bandwidth_back->value *= times;
  }
  for (auto& [name, site] : scenario.sites)
    if (site.uplink) site.uplink->value *= times;
  return scenario;
}

/// Machines whose repairmen each have their own.
Scenario repair_shops(std::uint64_t shops, std::uint64_t machines) {
  Scenario scenario = machine_repairman("shops", {.machines = machines, .think_s = 20.0, .service_s = 1.0}).scenario;
  scenario.jobs.front().count = shops * machines;
  server_of(scenario).nodes = shops;
  server_of(scenario).balancing = Balancing::per_connection;
  server_of(scenario).dispatch = Dispatch::round_robin;
  return scenario;
}

/// As if requests took hours, so that the farm is large.
std::variant<Replicated, RunFailure> by_cells(const Scenario& scenario) {
  const Simulator slow{.run = simulate, .length = run_length_for, .size = [](const System& s, const RunLength& length) {
                         RunSize size = run_size(s, length);
                         size.requests *= 1e5;
                         return size;
                       }};
  return replicate_by_cells(slow, std::vector{scenario}, {.processes = 2}).at(0);
}

}  // namespace

TEST_CASE("formulas say of a cell, stream by stream, what they say of the farm") {
  CHECK(rc::check([] {
    Scenario part = any_serving_scenario();
    cap_transfers(part);
    call_one_by_one(part);
    const std::uint64_t k = *rc::gen::inRange<std::uint64_t>(2, 9);
    const Scenario farm = many_of(part, k);
    const std::uint64_t of = equal_parts(farm);
    RC_PRE(of % k == 0);
    const std::optional<FarmCell> cell = cell_of(farm, of / k, 0.0);
    RC_ASSERT(cell.has_value());
    RC_ASSERT(cell->factor() == static_cast<double>(k));
    const System small(cell->scenario);
    const System large(farm);
    const auto same = [](double a, double b) { return a == b || std::abs(a - b) <= 1e-6 * std::abs(b); };
    RC_LOG() << described(part) << "\nideal " << small.bounds.ideal_event_time_s << " and "
             << large.bounds.ideal_event_time_s;
    RC_ASSERT(same(small.bounds.clients * static_cast<double>(k), large.bounds.clients));
    RC_ASSERT(same(small.bounds.ideal_event_time_s, large.bounds.ideal_event_time_s));
    RC_ASSERT(same(small.bounds.event_time_s, large.bounds.event_time_s));
    RC_ASSERT(same(small.bounds.events_per_s * static_cast<double>(k), large.bounds.events_per_s));
    RC_ASSERT(same(small.knee_streams() * static_cast<double>(k), large.knee_streams()));
  }));
}

TEST_CASE("a farm has as many equal parts as the nodes of all its servers have in common") {
  Scenario farm = simple_loop({.clients = 100, .nodes = 250});
  CHECK(equal_parts(farm) == 250);
  farm.servers.push_back(farm.servers.front());
  farm.servers.back().nodes = 100;
  CHECK(equal_parts(farm) == 50);
  farm.servers.back().nodes = 99;
  CHECK(equal_parts(farm) == 1);
  farm.servers.clear();
  CHECK(equal_parts(farm) == 1);
}

TEST_CASE("a prime number of nodes has cells, whose jobs are rounded no more than is asked") {
  const Scenario farm = simple_loop({.clients = 100'000, .nodes = 997});
  CHECK_FALSE(cell_of(farm, 10, 0.0));
  const std::optional<FarmCell> cell = cell_of(farm, 10, 0.001);
  REQUIRE(cell);
  CHECK(cell->scenario.servers.front().nodes == 10);
  CHECK(cell->scenario.jobs.front().count == 1003);  // 100,000 · 10/997 = 1003.009
}

TEST_CASE("recorded arrivals and a platform file have no part that is like the whole") {
  Scenario farm = simple_loop({.clients = 100, .nodes = 10});
  farm.platform_file = "site.xml";
  CHECK(equal_parts(farm) == 1);
  farm.platform_file.reset();
  farm.jobs.front().arrivals = TraceArrivals{.file = "trace.csv"};
  CHECK(equal_parts(farm) == 1);
}

TEST_CASE("a cell of a system without chance says the closed formula of the whole") {
  // 100 jobs a node that think for 10 s and need its device for 1 s: 100 s an event, one event a second and node.
  const Scenario farm = simple_loop({.clients = 20'000, .nodes = 200});
  const auto answer = by_cells(farm);
  REQUIRE(std::holds_alternative<Replicated>(answer));
  const Results& results = std::get<Replicated>(answer).summary;
  REQUIRE(results.cell);
  CHECK(results.cell->agrees);
  CHECK(results.cell->of == 200);
  CHECK(results.cell->parts == 40);
  CHECK(results.cell->streams == 4000.0);
  CHECK(results.cell->smaller_streams == 1000.0);
  CHECK(results.all_jobs["event_time_s"].mean == doctest::Approx(100.0).epsilon(1e-3));
  CHECK(results.all_jobs["events_per_s"].mean == doctest::Approx(200.0).epsilon(1e-3));
  CHECK(results.all_jobs["streams"].mean == 20'000.0);
}

TEST_CASE("the laws of the farm hold between the numbers that a cell says of it") {
  Scenario farm = simple_loop({.clients = 20'000, .nodes = 200, .think = ExponentialTime{Seconds{120.0}}});
  farm.run.precision = 0.05;
  const System whole(farm);
  const auto answer = by_cells(farm);
  REQUIRE(std::holds_alternative<Replicated>(answer));
  const Results& results = std::get<Replicated>(answer).summary;
  REQUIRE(results.cell);
  const double events_per_s = results.all_jobs["events_per_s"].mean;
  CHECK(results.models.front()["requests_per_s"].mean == doctest::Approx(events_per_s).epsilon(0.01));
  // Little's law of all streams, which think or wait for an answer.
  CHECK(events_per_s * results.all_jobs["event_time_s"].mean == doctest::Approx(20'000.0).epsilon(0.01));
  const ResourceResults& devices = results.resources.front();
  CHECK(devices["units"].mean == 200.0);
  CHECK(devices["demand_s_per_event"].mean == doctest::Approx(demands(whole.network)(0, 0)).epsilon(0.01));
  CHECK(devices["busy_fraction"].mean ==
        doctest::Approx(events_per_s * devices["demand_s_per_event"].mean).epsilon(0.01));
  CHECK(devices["mean_in_use"].mean ==
        doctest::Approx(events_per_s * results.models.front()["latency_s"].mean).epsilon(0.02));
}

TEST_CASE("64 repair shops and a cell of 4 of them have the times that theory knows of one") {
  const KnownSystem one = machine_repairman("one", {.machines = 16, .think_s = 20.0, .service_s = 1.0});
  const double event_time_s = one.numbers[0].value;
  const double per_s = one.numbers[1].value;
  const Scenario farm = repair_shops(64, 16);
  check_intervals(farm, 6, event_time_s, 64 * per_s);
  const std::optional<FarmCell> cell = cell_of(farm, 4, 0.0);
  REQUIRE(cell);
  check_intervals(cell->scenario, 6, event_time_s, 4 * per_s);
  const RunOutcome outcome = farm_outcome(lawful_run(cell->scenario), System(farm).network, cell->factor());
  CHECK(outcome.jobs.front().clients == 1024.0);
  CHECK(outcome.jobs.front().events_per_s == doctest::Approx(64 * per_s).epsilon(0.05));
}
