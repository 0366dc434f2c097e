#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <string>

#include "models/bounds.hpp"
#include "scenarios/demands.hpp"
#include "tests/engine/drawn_scenarios.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

/// Several pools, models, servers, links, policies: whatever the engine accepts.
Scenario any_scenario() {
  Scenario scenario;
  scenario.title = "drawn";
  scenario.devices["gpu"] = {};
  const int models = *rc::gen::inRange(1, 4);
  for (int m = 0; m < models; ++m) {
    Model model;
    model.input = Bytes{*rc::gen::element(0.0, 1e3, 1e6)};
    model.output = Bytes{*rc::gen::element(0.0, 1e2, 1e5)};
    model.max_batch_size = 64;
    model.service["gpu"] = {any_time(0.001, 0.5), any_time(0.0001, 0.01)};
    scenario.models["m" + std::to_string(m)] = model;
  }
  const int servers = *rc::gen::inRange(1, 3);
  const auto dispatch =
      *rc::gen::element(Dispatch::round_robin, Dispatch::random, Dispatch::least_outstanding, Dispatch::power_of_two);
  for (int s = 0; s < servers; ++s) {
    Server server;
    server.name = "server" + std::to_string(s);
    server.site = s == 0 ? "near" : "far";
    server.nodes = *rc::gen::inRange<std::uint64_t>(1, 4);
    if (*rc::gen::arbitrary<bool>()) server.nic = Bandwidth{1e7};
    server.devices = {"gpu", *rc::gen::inRange<std::uint64_t>(1, 4)};
    for (const auto& [name, model] : scenario.models) server.models.push_back(name);
    server.dispatch = dispatch;
    scenario.servers.push_back(server);
  }
  scenario.links.push_back({"near", "far", Bandwidth{2e7}, Seconds{0.05}, Bandwidth{5e6}});
  const bool loopback = *rc::gen::arbitrary<bool>();
  if (loopback) scenario.links.push_back({"near", "near", Bandwidth{1e8}, Seconds{0.0}, {}});
  const int pools = *rc::gen::inRange(1, 3);
  for (int p = 0; p < pools; ++p) {
    InferStage infer;
    infer.label = "infer";
    infer.model = "m" + std::to_string(*rc::gen::inRange(0, models));
    infer.items = *rc::gen::inRange<std::uint64_t>(1, 200);
    infer.request_batch = std::min<std::uint64_t>(infer.items.largest(), *rc::gen::inRange<std::uint64_t>(1, 65));
    infer.in_flight = *rc::gen::inRange<std::uint64_t>(1, 5);
    scenario.jobs.push_back({.name = "pool" + std::to_string(p),
                             .site = "near",
                             .count = *rc::gen::inRange<std::uint64_t>(1, 30),
                             .threads = *rc::gen::inRange<std::uint64_t>(1, 3),
                             .start = *rc::gen::element(JobStart::random, JobStart::staggered),
                             .event = {CpuStage{"cpu", any_time(0.0, 5.0), {}}, infer}});
  }
  scenario.run.cycles = 24;
  return scenario;
}

}  // namespace

TEST_CASE("every law that a run must satisfy holds for whatever scenario is drawn") {
  CHECK(rc::check("laws", [] {
    const RunOutcome outcome = simulate_forked(any_scenario());
    for (const Check& check : outcome.checks)
      if (!check.passed) RC_FAIL(check.name + ": " + check.detail);
    for (const ModelOutcome& model : outcome.models) {
      if (model.latency.count == 0) continue;
      RC_ASSERT(model.latency.p50_s <= model.latency.p95_s);
      RC_ASSERT(model.latency.p95_s <= model.latency.p99_s);
      RC_ASSERT(model.latency.p99_s <= model.latency.max_s);
    }
  }));
}

TEST_CASE("with constant times and one request an event the event time equals the bound for drawn scenarios") {
  CHECK(rc::check("bound", [] {
    const auto devices = *rc::gen::inRange<std::uint64_t>(1, 9);
    const auto clients = *rc::gen::inRange<std::uint64_t>(1, 120);
    const double think_s = *rc::gen::inRange(0, 2000) / 100.0;
    const double service_s = *rc::gen::inRange(1, 500) / 100.0;
    Scenario scenario = simple_loop({.clients = clients,
                                     .devices = devices,
                                     .think = ConstantTime{Seconds{think_s}},
                                     .service = ConstantTime{Seconds{service_s}}});
    if (*rc::gen::arbitrary<bool>()) {
      scenario.servers.front().site = "there";
      scenario.links.push_back({"here", "there", Bandwidth{1e12}, Seconds{0.3}, Bandwidth{1e6}});
      scenario.models["model"].input = Bytes{2e5};
    }
    const double bound = asymptotic_bounds(closed_network(scenario)).event_time_s;
    const double simulated = simulate_forked(scenario).jobs.front().event_time.mean_s;
    RC_LOG() << "N " << clients << " G " << devices << " Z " << think_s << " T " << service_s << " R " << simulated
             << " bound " << bound << std::endl;
    RC_ASSERT(std::abs(simulated - bound) <= 1e-6 * bound);
  }));
}
