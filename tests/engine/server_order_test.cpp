#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/determinism.hpp"
#include "tests/engine/drawn_scenarios.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

/// The order in which servers stand in the file is no property of the system.
using namespace saturn;
using namespace saturn::tests;

namespace {

/// Servers of one node with a device of its own type each, one item a call.
Scenario unlike_servers(const std::vector<ServiceLaw>& laws, Dispatch dispatch) {
  Scenario scenario = simple_loop({.clients = 1});
  const Server server = server_of(scenario);
  scenario.servers.clear();
  for (std::size_t s = 0; s < laws.size(); ++s) {
    const std::string type = "type" + std::to_string(s);
    scenario.devices[type] = {};
    model_of(scenario).service[type] = laws[s];
    scenario.servers.push_back(server);
    scenario.servers.back().name = "server of " + type;
    scenario.servers.back().devices.type = type;
    scenario.servers.back().dispatch = dispatch;
  }
  return scenario;
}

struct Figure {
  std::string name;
  Measure of;
};

std::vector<Figure> figures_of(const Scenario& scenario) {
  std::vector<Figure> figures = {
      {"event time", [](const RunOutcome& o) { return o.jobs.front().event_time.mean_s; }},
      {"rate", [](const RunOutcome& o) { return o.jobs.front().events_per_s; }},
      {"latency", [](const RunOutcome& o) { return o.models.front().latency.mean_s; }},
      {"queue", [](const RunOutcome& o) { return o.models.front().queue_s; }},
      {"p95 of the latency", [](const RunOutcome& o) { return o.models.front().latency.p95_s; }}};
  for (const Server& server : scenario.servers)
    figures.push_back({"use of " + server.name, [prefix = server.name + "/"](const RunOutcome& o) {
                         const auto device =
                             std::find_if(o.resources.begin(), o.resources.end(), [&](const ResourceOutcome& one) {
                               return one.name.starts_with(prefix) && one.kind == ResourceKind::gpu;
                             });
                         return device == o.resources.end() ? 0.0 : device->busy_fraction;
                       }});
  return figures;
}

struct Spread {
  double mean = 0.0;
  double of_mean = 0.0;  // variance
};

Spread spread_of(const std::vector<RunOutcome>& outcomes, const Measure& of) {
  Spread spread;
  const auto n = static_cast<double>(outcomes.size());
  for (const RunOutcome& outcome : outcomes) spread.mean += of(outcome) / n;
  for (const RunOutcome& outcome : outcomes) spread.of_mean += std::pow(of(outcome) - spread.mean, 2) / (n - 1) / n;
  return spread;
}

}  // namespace

TEST_CASE("an idle T4 and an idle A100 share the calls of one job, whichever stands first in the file") {
  // A tie at every call: half of them take 14.2 ms, half 7.4 ms.
  const ServiceLaw t4 = affine(0.0142, 0.0);
  const ServiceLaw a100 = affine(0.0074, 0.0);
  for (const bool t4_first : {true, false}) {
    Scenario scenario =
        unlike_servers(t4_first ? std::vector{t4, a100} : std::vector{a100, t4}, Dispatch::least_outstanding);
    scenario.run.cycles = 2000;
    CHECK_FALSE(is_deterministic(scenario));
    check_contains(measured(scenario, [](const RunOutcome& o) { return o.models.front().latency.mean_s; }), 0.0108,
                   0.06);
  }
}

TEST_CASE("where only one node can be chosen, least_outstanding draws nothing") {
  CHECK(is_deterministic(unlike_servers({affine(0.01, 0.0)}, Dispatch::least_outstanding)));
}

TEST_CASE("the order of unlike servers in the file changes no figure beyond its interval" *
          doctest::test_suite("release")) {
  std::uint32_t compared = 0;
  CHECK(rc::check("order", [&] {
    std::vector<ServiceLaw> laws;
    const int servers = *rc::gen::inRange(2, 4);
    for (int s = 0; s < servers; ++s) {
      ServiceLaw law = affine(0.001 * *rc::gen::inRange(2, 30), 0.0);
      law.scatter = *rc::gen::element(0.0, 0.5, 1.0);
      laws.push_back(law);
    }
    const auto dispatch =
        *rc::gen::element(Dispatch::round_robin, Dispatch::random, Dispatch::least_outstanding, Dispatch::power_of_two);
    Scenario scenario = unlike_servers(laws, dispatch);
    JobPool& pool = scenario.jobs.front();
    pool.count = *rc::gen::element<std::uint64_t>(1, 3, 8, 20);
    pool.start = JobStart::random;
    std::get<CpuStage>(pool.event.front()).time = ExponentialTime{Seconds{0.001 * *rc::gen::inRange(1, 60)}};
    for (Server& server : scenario.servers) {
      server.nodes = *rc::gen::inRange<std::uint64_t>(1, 4);
      server.devices.count = *rc::gen::inRange<std::uint64_t>(1, 3);
    }
    Scenario turned = scenario;
    std::rotate(turned.servers.begin(), turned.servers.begin() + *rc::gen::inRange(1, servers), turned.servers.end());
    turned.run.seed = scenario.run.seed + 1;
    RC_LOG() << described(scenario);
    constexpr std::uint32_t replications = 8;
    std::vector<RunOutcome> as_written;
    std::vector<RunOutcome> otherwise;
    for (std::uint32_t replica = 0; replica < replications; ++replica) {
      as_written.push_back(simulate_forked(scenario, replica));
      otherwise.push_back(simulate_forked(turned, replica));
    }
    for (const Figure& figure : figures_of(scenario)) {
      const Spread a = spread_of(as_written, figure.of);
      const Spread b = spread_of(otherwise, figure.of);
      // Student's factor of 14 degrees of freedom that chance exceeds once in 10^5 comparisons.
      constexpr double factor = 6.5;
      const double apart = std::abs(a.mean - b.mean);
      RC_LOG() << figure.name << ": " << a.mean << " and " << b.mean << std::endl;
      RC_ASSERT(apart <= factor * std::sqrt(a.of_mean + b.of_mean) + 1e-9 * std::abs(a.mean));
      ++compared;
    }
  }));
  MESSAGE("figures compared: ", compared);
}
