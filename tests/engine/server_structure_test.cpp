#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "scenarios/demands/demands.hpp"
#include "sim/formula/system.hpp"
#include "sim/run/outcome_bytes.hpp"
#include "tests/engine/drawn_scenarios.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

using namespace saturn;
using namespace saturn::tests;

/// Chains of models, several nodes, and how requests reach them.

namespace {

/// Exa.TrkX's shape: steps of 0.5, 1.25 and 0.25 s that one device executes one after the other.
Scenario chain(std::uint64_t clients) {
  Scenario scenario = busy_clients(clients, affine(0.5, 0.0));
  scenario.models["a"] = model_of(scenario);
  scenario.models.erase("model");
  scenario.models["b"] = scenario.models["a"];
  scenario.models["b"].service["device"] = affine(1.25, 0.0);
  scenario.models["c"] = scenario.models["a"];
  scenario.models["c"].service["device"] = affine(0.25, 0.0);
  scenario.models["pipeline"].ensemble = {"a", "b", "c"};
  server_of(scenario).models = {"a", "b", "c", "pipeline"};
  call_of(scenario).model = "pipeline";
  return scenario;
}

/// The same work as three calls of the client.
Scenario separate(Scenario scenario) {
  std::vector<Stage> calls;
  for (const char* step : {"a", "b", "c"}) {
    calls.push_back(call_of(scenario));
    std::get<InferStage>(calls.back()).model = step;
  }
  scenario.jobs.front().event = calls;
  return scenario;
}

const ModelOutcome& model_named(const RunOutcome& outcome, const std::string& name) {
  return *std::find_if(outcome.models.begin(), outcome.models.end(),
                       [&](const ModelOutcome& model) { return model.name == name; });
}

}  // namespace

TEST_CASE("a chain of constant steps takes the sum of its steps alone, and their rate together when saturated") {
  const RunOutcome alone = lawful_run(chain(1));
  CHECK(event_time_of(alone) == doctest::Approx(2.0).epsilon(1e-12));
  CHECK(model_named(alone, "pipeline").compute_s == doctest::Approx(2.0).epsilon(1e-12));
  CHECK(model_named(alone, "b").latency.mean_s == doctest::Approx(1.25).epsilon(1e-12));
  const RunOutcome saturated = lawful_run(chain(6));
  CHECK(event_time_of(saturated) == doctest::Approx(6 * 2.0).epsilon(1e-6));
}

TEST_CASE("a chain on instances that only their host parts keep busy has the rate of its slowest step") {
  Scenario scenario = chain(8);
  scenario.run.cycles = 200;
  for (auto& [name, model] : scenario.models)
    for (auto& [type, law] : model.service) law.host.per_batch = mean(law, 1.0) - Seconds{1e-6};
  const RunOutcome outcome = lawful_run(scenario);
  CHECK(event_time_of(outcome) == doctest::Approx(8 * 1.25).epsilon(1e-4));
}

TEST_CASE("an ensemble equals its steps called one by one when the network costs nothing") {
  for (const std::uint64_t clients : {1u, 2u, 5u}) {
    CAPTURE(clients);
    for (const bool random : {false, true}) {
      Scenario scenario = chain(clients);
      if (random) scenario.models["b"].service["device"] = exponential(1.25);
      const RunOutcome chained = simulate_forked(scenario);
      const RunOutcome one_by_one = simulate_forked(separate(scenario));
      CHECK(event_time_of(chained) == event_time_of(one_by_one));
      for (const char* step : {"a", "b", "c"})
        CHECK(model_named(chained, step).latency.mean_s ==
              doctest::Approx(model_named(one_by_one, step).latency.mean_s).epsilon(1e-12));
    }
  }
}

TEST_CASE("an ensemble of one step counts the step's requests") {
  Scenario scenario = chain(3);
  scenario.models["pipeline"].ensemble = {"b"};
  const RunOutcome outcome = simulate_forked(scenario);
  CHECK(model_named(outcome, "b").requests_per_s == doctest::Approx(1 / 1.25).epsilon(0.02));
  CHECK(model_named(outcome, "pipeline").requests_per_s == doctest::Approx(1 / 1.25).epsilon(0.02));
  CHECK(model_named(outcome, "b").latency.mean_s == model_named(outcome, "pipeline").latency.mean_s);
}

TEST_CASE("jobs that are pinned to nodes at random get an equal part of their own node, round robin pins evenly") {
  for (const Dispatch dispatch : {Dispatch::random, Dispatch::round_robin}) {
    std::uint64_t uneven = 0;
    for (std::uint32_t replica = 0; replica < 6; ++replica) {
      Scenario scenario = busy_clients(1, affine(1.0, 0.0));
      scenario.run.cycles = 400;
      for (int job = 1; job < 6; ++job) {
        scenario.jobs.push_back(scenario.jobs.front());
        scenario.jobs.back().name = "job" + std::to_string(job);
      }
      server_of(scenario).nodes = 2;
      server_of(scenario).balancing = Balancing::per_connection;
      server_of(scenario).dispatch = dispatch;
      const RunOutcome outcome = lawful_run(scenario, replica);
      // A job on a node of n jobs has a share of 1/n; so n of them have it, or all six when both nodes have three.
      std::vector<std::uint64_t> jobs_of_share(7, 0);
      for (const JobsOutcome& job : outcome.jobs) {
        const double sharing = 1.0 / job.events_per_s;
        CHECK(sharing == doctest::Approx(std::round(sharing)).epsilon(0.02));
        ++jobs_of_share.at(static_cast<std::size_t>(std::round(sharing)));
      }
      for (std::uint64_t n = 1; n <= 6; ++n)
        if (jobs_of_share[n] > 0) CHECK(jobs_of_share[n] == (n == 3 ? 6 : n));
      if (jobs_of_share[3] == 0) ++uneven;
    }
    CHECK((uneven > 0) == (dispatch == Dispatch::random));
  }
}

TEST_CASE("nodes with a central queue equal one node with all their devices to the last bit") {
  Scenario scenario = simple_loop({.clients = 20, .think = ExponentialTime{Seconds{3.0}}, .start = JobStart::random});
  model_of(scenario).service["device"] = exponential(1.0);
  model_of(scenario).dynamic_batching = true;
  model_of(scenario).max_batch_size = 2;
  server_of(scenario).host = HostStage{.per_request = Seconds{0.1}, .per_item = Seconds{0.0}, .workers = 3.0};
  server_of(scenario).devices.count = 6;
  const std::string together = to_bytes(simulate_forked(scenario));
  server_of(scenario).host->workers = 1.0;
  server_of(scenario).devices.count = 2;
  server_of(scenario).nodes = 3;
  CHECK(to_bytes(simulate_forked(scenario)) != together);
  server_of(scenario).balancing = Balancing::central_queue;
  CHECK(to_bytes(simulate_forked(scenario)) == together);
}

TEST_CASE("the network of a node is used by the requests that go there, also from a central queue's side") {
  Scenario scenario = busy_clients(4, affine(1.0, 0.0));
  server_of(scenario).site = "there";
  server_of(scenario).nodes = 2;
  scenario.links.push_back({"here", "there", Bandwidth{1e9}, Seconds{0.5}, {}});
  for (const Balancing balancing : {Balancing::per_request, Balancing::per_connection, Balancing::central_queue}) {
    server_of(scenario).balancing = balancing;
    const RunOutcome outcome = lawful_run(scenario);
    // Two clients a node that takes 1 s each: the round trip of one hides behind the other's service.
    CHECK(event_time_of(outcome) == doctest::Approx(2.0).epsilon(1e-6));
    const ModelOutcome& model = outcome.models.front();
    CHECK(model.send_s + model.receive_s == doctest::Approx(0.5).epsilon(1e-9));
    CHECK(model.queue_s == doctest::Approx(0.5).epsilon(1e-6));
  }
}

TEST_CASE("drawn times of whole batches, and a host's, do not set off the check of the bounds") {
  for (std::uint32_t replica = 0; replica < 12; ++replica) {
    Scenario scenario = busy_clients(128, exponential(1.0));
    model_of(scenario).dynamic_batching = true;
    model_of(scenario).max_batch_size = 64;
    lawful_run(scenario, replica);
    scenario = busy_clients(1, affine(0.01, 0.0));
    server_of(scenario).host =
        HostStage{.per_request = Seconds{1.0}, .per_item = Seconds{0.0}, .workers = 1.0, .scatter = 1.0};
    lawful_run(scenario, replica);
  }
}

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
  lawful_run(scenario);
  // Past saturation, too, the balancer cannot beat the best split, and comes near it.
  const Scenario crowded = slow_and_fast(400, Dispatch::least_outstanding);
  const double bound = asymptotic_bounds(closed_network(crowded)).event_time_s;
  CHECK(bound == doctest::Approx(400 * 0.018));
  const double simulated = event_time_of(simulate_forked(crowded));
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
    const double simulated = event_time_of(simulate_forked(scenario));
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
  CHECK(event_time_of(simulate_forked(crowded)) == doctest::Approx(400 * 0.027).epsilon(0.02));
}

TEST_CASE("nodes that hold the same models are chosen by the unanswered requests of all of them, as a proxy counts") {
  Scenario scenario = busy_clients(1, affine(1.0, 0.0));
  scenario.models["short"] = model_of(scenario);
  scenario.models["short"].service["device"] = affine(0.1, 0.0);
  server_of(scenario).models.push_back("short");
  server_of(scenario).nodes = 2;
  server_of(scenario).dispatch = Dispatch::least_outstanding;
  scenario.jobs.push_back(scenario.jobs.front());
  scenario.jobs.back().name = "others";
  std::get<InferStage>(scenario.jobs.back().event.front()).model = "short";
  // Two requests are never unanswered at once but on two nodes: nobody waits.
  const RunOutcome outcome = lawful_run(scenario);
  CHECK(model_named(outcome, "short").latency.mean_s == doctest::Approx(0.1).epsilon(1e-12));
  CHECK(model_named(outcome, "model").latency.mean_s == doctest::Approx(1.0).epsilon(1e-12));
}

namespace {

/// Machines that run for an exponential time of mean 1, then ask one of two equal exponential servers: the chain of the
/// numbers at the fuller and at the emptier one, solved by iteration.
struct TwoQueues {
  int machines = 1;
  double service_s = 1.0;
  bool own_queues = true;  ///< an arrival joins the shorter one and stays; else both serve one queue

  /// Mean time from asking to the answer [s], by Little's law.
  double response_s() const {
    const auto n = static_cast<std::size_t>(machines);
    std::vector<std::vector<double>> p(n + 1, std::vector<double>(n + 1, 0.0));
    p[0][0] = 1.0;
    const double mu = 1.0 / service_s;
    const double step = 0.5 / (machines + 2.0 * mu);
    for (int i = 0; i < 100'000; ++i) {
      std::vector<std::vector<double>> next(n + 1, std::vector<double>(n + 1, 0.0));
      for (std::size_t a = 0; a <= n; ++a)
        for (std::size_t b = 0; b <= a && a + b <= n; ++b) {
          const auto go = [&](std::size_t to_a, std::size_t to_b, double rate) {
            next[std::max(to_a, to_b)][std::min(to_a, to_b)] += p[a][b] * rate * step;
            next[a][b] -= p[a][b] * rate * step;
          };
          next[a][b] += p[a][b];
          if (a + b < n) a == b ? go(a + 1, b, double(n - a - b)) : go(a, b + 1, double(n - a - b));
          // One queue is as if the longer one always gave: who is served last is not told apart.
          if (!own_queues && b > 0)
            go(a - 1, b, 2.0 * mu);
          else {
            if (a > 0) go(a - 1, b, mu);
            if (b > 0) go(a, b - 1, mu);
          }
        }
      p = next;
    }
    double present = 0.0;
    double busy = 0.0;
    for (std::size_t a = 0; a <= n; ++a)
      for (std::size_t b = 0; b <= a && a + b <= n; ++b) {
        present += p[a][b] * static_cast<double>(a + b);
        busy += p[a][b] * ((a > 0 ? 1.0 : 0.0) + (b > 0 ? 1.0 : 0.0));
      }
    return present / (busy * mu);
  }
};

}  // namespace

TEST_CASE("two exponential devices with a queue each, joined by the shorter, are the chain of their two numbers") {
  constexpr int machines = 4;
  constexpr double service_s = 1.0;
  const double own_s = TwoQueues{machines, service_s, true}.response_s();
  const double shared_s = TwoQueues{machines, service_s, false}.response_s();
  CHECK(own_s > 1.02 * shared_s);
  Scenario scenario = simple_loop({.clients = machines,
                                   .devices = 2,
                                   .think = ExponentialTime{Seconds{1.0}},
                                   .service = ExponentialTime{Seconds{service_s}},
                                   .cycles = 3000});
  check_intervals(scenario, 8, 1.0 + shared_s);
  server_of(scenario).devices.dispatch = DeviceDispatch::per_device_queue;
  check_intervals(scenario, 8, 1.0 + own_s);
  CHECK(!closed_network(scenario).product_form_violations.empty());
}

TEST_CASE("a queue for its only device is the queue of the node, to the last bit") {
  Scenario scenario = busy_clients(7, exponential(1.0));
  model_of(scenario).dynamic_batching = true;
  model_of(scenario).max_batch_size = 4;
  const std::string shared = to_bytes(simulate_forked(scenario));
  server_of(scenario).devices.dispatch = DeviceDispatch::per_device_queue;
  CHECK(to_bytes(simulate_forked(scenario)) == shared);
}

TEST_CASE("of devices that share a queue one takes all that waits, of those with a queue each none starves") {
  // A batch takes as long as its requests one by one, so that the work of eight clients is that of four devices.
  Scenario scenario = busy_clients(8, affine(0.0, 1.0));
  server_of(scenario).devices.count = 4;
  model_of(scenario).dynamic_batching = true;
  model_of(scenario).max_batch_size = 100;
  server_of(scenario).devices.dispatch = DeviceDispatch::per_device_queue;
  // Two clients stay at each device and alternate, or share its batch of 2 s.
  const RunOutcome own = lawful_run(scenario);
  CHECK(event_time_of(own) == doctest::Approx(2.0).epsilon(0.01));
  CHECK(resource_of(own, "server/device").busy_fraction == doctest::Approx(1.0).epsilon(0.01));
}

TEST_CASE("no simulation of unlike servers beats a bound that is printed by more than its interval" *
          doctest::test_suite("drawn")) {
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
    // A window gains a tenth of an event per stream at its edges at most.
    const double at_edges = 1.0 + 0.1 / static_cast<double>(least_cycles(scenario));
    RC_LOG() << described(scenario) << "\nrate " << rate.mean << " from " << rate.low << " bound "
             << bounds.events_per_s << std::endl;
    RC_ASSERT(rate.low <= bounds.events_per_s * at_edges);
    RC_ASSERT(bounds.event_time_s <= bounds.clients / bounds.events_per_s * (1.0 + 1e-9));
  }));
  MESSAGE(compared << " scenarios with a bound, of which the means of " << below << " lie beyond it by chance; "
                   << averages << " with an average");
  CHECK(5 * compared >= 3 * (compared + averages));
}
