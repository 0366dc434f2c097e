#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "models/bounds.hpp"
#include "scenarios/demands.hpp"
#include "tests/engine/drawn_scenarios.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

/// The issue's: twenty jobs that compute 2.5 s and send four requests an event to a server that takes 27 ms for each,
/// and to one that is five times as fast.
Scenario slow_and_fast(std::uint64_t jobs, Dispatch dispatch) {
  Scenario scenario = simple_loop({.clients = jobs, .think = ConstantTime{Seconds{2.5}}});
  call_of(scenario).items = 1000;
  call_of(scenario).request_batch = 250;
  model_of(scenario).max_batch_size = 1000;
  model_of(scenario).service["device"] = affine(0.002, 0.0001);
  model_of(scenario).service["fast"] = affine(0.0004, 0.00002);
  server_of(scenario).dispatch = dispatch;
  scenario.servers.push_back(server_of(scenario));
  scenario.servers.back().name = "fast";
  scenario.servers.back().devices.type = "fast";
  scenario.devices["fast"] = {};
  return scenario;
}

/// Servers of different speed, size and site that share one or two models, whatever the policy.
Scenario unlike_servers() {
  Scenario scenario;
  scenario.title = "drawn";
  const auto dispatch =
      *rc::gen::element(Dispatch::round_robin, Dispatch::random, Dispatch::least_outstanding, Dispatch::power_of_two);
  const Balancing balancing = *rc::gen::inRange(0, 4) == 0 ? Balancing::per_connection : Balancing::per_request;
  const bool drawn = *rc::gen::arbitrary<bool>();
  const int models = *rc::gen::inRange(1, 3);
  for (int m = 0; m < models; ++m) {
    Model& model = scenario.models["m" + std::to_string(m)];
    model.input = Bytes{*rc::gen::element(0.0, 1e4, 1e6)};
    model.max_batch_size = 8;
    model.dynamic_batching = *rc::gen::inRange(0, 4) == 0;
    for (const char* type : {"slow", "fast", "other"})
      model.service[type] = {any_time(0.01, 1.0, drawn), any_time(0.0, 0.1, drawn)};
  }
  const int servers = *rc::gen::inRange(2, 4);
  for (int s = 0; s < servers; ++s) {
    Server server;
    server.name = "server" + std::to_string(s);
    server.site = *rc::gen::element("near", "far");
    server.nodes = *rc::gen::inRange<std::uint64_t>(1, 3);
    server.devices = {*rc::gen::element("slow", "fast", "other"), *rc::gen::inRange<std::uint64_t>(1, 3)};
    if (*rc::gen::arbitrary<bool>()) server.nic = Bandwidth{2e7};
    for (const auto& [name, model] : scenario.models)
      if (s < 2 || *rc::gen::arbitrary<bool>()) server.models.push_back(name);
    if (server.models.empty()) server.models.push_back("m0");
    server.dispatch = dispatch;
    server.balancing = balancing;
    scenario.servers.push_back(server);
  }
  for (const char* type : {"slow", "fast", "other"}) scenario.devices[type] = {};
  scenario.links.push_back({"near", "far", Bandwidth{2e7}, Seconds{0.05}, Bandwidth{5e6}});
  const int pools = *rc::gen::inRange(1, 3);
  for (int p = 0; p < pools; ++p) {
    InferStage infer;
    infer.label = "infer";
    infer.model = *rc::gen::inRange(0, models) == 0 ? "m0" : "m" + std::to_string(models - 1);
    infer.request_batch = *rc::gen::inRange<std::uint64_t>(1, 5);
    infer.items =
        infer.request_batch * *rc::gen::inRange<std::uint64_t>(1, 6) + *rc::gen::element<std::uint64_t>(0, 0, 1);
    infer.in_flight = *rc::gen::element<std::uint64_t>(1, 1, 3);
    scenario.jobs.push_back({.name = "pool" + std::to_string(p),
                             .site = *rc::gen::element("near", "far"),
                             .count = *rc::gen::inRange<std::uint64_t>(1, 30),
                             .start = *rc::gen::element(JobStart::random, JobStart::staggered),
                             .event = {CpuStage{"cpu", any_time(0.0, 4.0, drawn), {}}, infer}});
  }
  scenario.run.cycles = 24;
  return scenario;
}

}  // namespace

TEST_CASE("twenty jobs on a slow and a five times faster server are bound by both together") {
  const Scenario scenario = slow_and_fast(20, Dispatch::least_outstanding);
  const Bounds bounds = asymptotic_bounds(closed_network(scenario));
  // 4 requests of 27 ms on the one or 5.4 ms on the other: 5 of 6 requests to the fast one, 18 ms an event.
  CHECK(bounds.knees[0].demand_s == doctest::Approx(0.018));
  CHECK(bounds.ideal_event_time_s == doctest::Approx(2.5 + 4 * (0.027 + 0.0054) / 2));
  CHECK(bounds.least_event_time_s == doctest::Approx(2.5 + 4 * 0.0054));
  CHECK(bounds.event_time_s == doctest::Approx(2.5216));
  CHECK(bound_caveat(scenario).empty());
  check_all_laws(simulate_forked(scenario));
  // Past saturation, too, the balancer cannot beat the best split, and comes near it.
  const Scenario crowded = slow_and_fast(400, Dispatch::least_outstanding);
  const double bound = asymptotic_bounds(closed_network(crowded)).event_time_s;
  CHECK(bound == doctest::Approx(400 * 0.018));
  const double simulated = simulate_forked(crowded).jobs.front().event_time.mean_s;
  CHECK(simulated >= bound * (1 - 1e-3));
  CHECK(simulated <= bound * 1.05);
}

TEST_CASE("where requests are dealt out or drawn whatever the load, the slow server binds at its share of the nodes") {
  for (const Dispatch dispatch : {Dispatch::round_robin, Dispatch::random}) {
    const Scenario scenario = slow_and_fast(400, dispatch);
    const Bounds bounds = asymptotic_bounds(closed_network(scenario));
    CHECK(bounds.knees[0].demand_s == doctest::Approx(2 * 0.027));
    CHECK(bounds.event_time_s == doctest::Approx(400 * 0.054));
    CHECK(bound_caveat(scenario).empty());
    const double simulated = simulate_forked(scenario).jobs.front().event_time.mean_s;
    CHECK(simulated == doctest::Approx(bounds.event_time_s).epsilon(dispatch == Dispatch::random ? 0.05 : 0.01));
  }
  // Requests of two sizes may fall into step with the nodes: what is dealt to each is then known on average only.
  Scenario uneven = slow_and_fast(400, Dispatch::round_robin);
  call_of(uneven).items = 900;
  CHECK_FALSE(bound_caveat(uneven).empty());
  uneven.servers[0].dispatch = uneven.servers[1].dispatch = Dispatch::random;
  CHECK(bound_caveat(uneven).empty());
}

TEST_CASE("of two nodes that are drawn with replacement the slow one gets a quarter of the requests at least") {
  const Scenario crowded = slow_and_fast(400, Dispatch::power_of_two);
  const Bounds bounds = asymptotic_bounds(closed_network(crowded));
  // A quarter of 4 requests of 27 ms, where the best split would give it a sixth; the fast one is busy for 16.2 ms.
  CHECK(bounds.knees[0].demand_s == doctest::Approx(0.027));
  CHECK(bounds.knees[1].demand_s == doctest::Approx(0.0162));
  CHECK(bounds.least_event_time_s == doctest::Approx(2.5 + 4 * (0.75 * 0.0054 + 0.25 * 0.027)));
  CHECK(simulate_forked(crowded).jobs.front().event_time.mean_s == doctest::Approx(400 * 0.027).epsilon(0.02));
}

TEST_CASE("no simulation of unlike servers beats a bound that is printed by more than its interval") {
  int compared = 0;
  int averages = 0;
  int below = 0;
  CHECK(rc::check("printed bounds", [&] {
    const Scenario scenario = unlike_servers();
    const bool printed = bound_caveat(scenario).empty();
    const ClosedNetwork network = closed_network(scenario);
    const Bounds bounds = asymptotic_bounds(network);
    const Estimate rate = measured(
        scenario,
        [](const RunOutcome& outcome) {
          double events_per_s = 0.0;
          for (const JobsOutcome& pool : outcome.jobs) events_per_s += pool.events_per_s;
          return events_per_s;
        },
        4);
    ++(printed ? compared : averages);
    if (!printed) return;
    if (rate.mean > bounds.events_per_s) ++below;
    // A window gains a tenth of an event per event loop at its edges at most.
    const double at_edges = 1.0 + 0.1 / static_cast<double>(scenario.run.cycles);
    RC_LOG() << described(scenario) << "\nrate " << rate.mean << " from " << rate.low << " bound "
             << bounds.events_per_s << std::endl;
    RC_ASSERT(rate.low <= bounds.events_per_s * at_edges);
    RC_ASSERT(bounds.event_time_s <= bounds.clients / bounds.events_per_s * (1.0 + 1e-9));
  }));
  MESSAGE(compared << " scenarios with a bound, of which the means of " << below << " lie beyond it by chance; "
                   << averages << " with an average");
  CHECK(compared >= 60);
}
