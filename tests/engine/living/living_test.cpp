#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "models/laws/arrival_law.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/run/outcome_bytes.hpp"
#include "tests/engine/drawn_scenarios.hpp"
#include "tests/engine/scenarios_for_tests.hpp"
#include "tests/oracles/failing_servers.hpp"
#include "tests/oracles/level_chain.hpp"
#include "tests/oracles/lost_calls.hpp"

using namespace saturn;
using namespace saturn::tests;

/// Calls that come late, servers that fail and scale, against exact results. Each 99.9 % interval with its fixed seed
/// would miss a right value once in a thousand.

namespace {

CallOutcome calls_of(const RunOutcome& outcome) {
  return *outcome.jobs.front().calls;
}
double late(const RunOutcome& outcome) {
  return calls_of(outcome).late / calls_of(outcome).tries;
}
double availability(const RunOutcome& outcome) {
  const CallOutcome calls = calls_of(outcome);
  return (calls.calls - calls.fell_back - calls.failed) / calls.calls;
}
double tries(const RunOutcome& outcome) {
  return calls_of(outcome).tries / calls_of(outcome).calls;
}
double present(const RunOutcome& outcome) {
  return resource_of(outcome, "server/device").mean_in_use;
}
double nodes_in_service(const RunOutcome& outcome) {
  return resource_of(outcome, "server/device").fleet->in_service;
}
double time_of_calls(const RunOutcome& outcome) {
  return outcome.jobs.front().stages.back().mean_s;
}

FailureLaw failures(double per_s, double repairs_per_s) {
  return {.every = ExponentialTime{Seconds{1.0 / per_s}}, .repair = ExponentialTime{Seconds{1.0 / repairs_per_s}}};
}

RetryRule retries(std::uint64_t count, const TimeDistribution& wait) {
  return {.count = count, .first = wait, .factor = 1.0};
}

/// One stream whose events compute for a second, send a megabyte over a link of a megabyte a second, and are served for
/// a second.
Scenario steady_line(double horizon_s) {
  Scenario scenario = simple_loop({.clients = 1, .think = ConstantTime{Seconds{1.0}}});
  scenario.jobs.front().site = "there";
  model_of(scenario).input = Bytes{1e6};
  scenario.links.push_back({.site_a = "there", .site_b = "here", .bandwidth = Bandwidth{1e6}});
  scenario.run.horizon = Seconds{horizon_s};
  return scenario;
}

/// Requests that arrive at even distances and are served for half a second, each node with one device.
Scenario even_arrivals(double per_s, std::uint64_t most, double horizon_s) {
  Scenario scenario = simple_loop({.clients = 1000, .service = ConstantTime{Seconds{0.5}}});
  JobPool& pool = scenario.jobs.front();
  pool.arrivals = ConstantArrivals{Rate{per_s}};
  pool.event.erase(pool.event.begin());
  Server& server = server_of(scenario);
  server.nodes = most;
  server.dispatch = Dispatch::least_outstanding;
  server.autoscaler = Autoscaler{.least = 1, .most = most, .begin = 1};
  scenario.run.horizon = Seconds{horizon_s};
  return scenario;
}

}  // namespace

TEST_CASE("of an M/M/1 queue that works on late requests, the share e^(-(μ-λ)d) comes after a deadline d") {
  Scenario scenario = poisson_calls(0.5, exponential(1.0));
  call_of(scenario).rules.deadline = Seconds{3.0};
  check_contains(measured(scenario, late), std::exp(-0.5 * 3.0), 0.05);
  check_contains(measured(scenario, availability), 1.0 - std::exp(-0.5 * 3.0), 0.02);
}

TEST_CASE("retries multiply the load until it agrees with how often tries are late") {
  constexpr double rate = 0.3;
  constexpr double deadline_s = 4.0;
  Scenario scenario = poisson_calls(rate, exponential(1.0));
  call_of(scenario).rules = {.deadline = Seconds{deadline_s}, .retries = retries(2, ExponentialTime{Seconds{200.0}})};
  double failed = 0.0;
  for (int i = 0; i < 1000; ++i) failed = std::exp(-(1.0 - rate * tries_per_call(failed, 2)) * deadline_s);
  check_contains(measured(scenario, tries), tries_per_call(failed, 2), 0.02);
  check_contains(measured(scenario, late), failed, 0.10);
}

TEST_CASE("a node that fails loses its queue: M/M/1 with disasters, of which no request survives" *
          doctest::test_suite("release")) {
  constexpr double lambda = 0.6;
  constexpr double xi = 0.05;
  constexpr double eta = 0.1;
  Scenario scenario = poisson_calls(lambda, exponential(1.0));
  server_of(scenario).failures = failures(xi, eta);
  // While it is up, P(n) goes like r^n, with the root r < 1 of μr² - (λ + μ + ξ)r + λ.
  const double b = lambda + 1.0 + xi;
  const double r = (b - std::sqrt(b * b - 4.0 * lambda)) / 2.0;
  const double up = eta / (xi + eta);
  check_contains(measured(scenario, availability), up * r / lambda, 0.05);
  check_contains(measured(scenario, present), up * r / (1.0 - r), 0.08);
  check_contains(measured(scenario, nodes_in_service), up, 0.05);
}

TEST_CASE("a node that is hardly used answers what comes from outside as often as it is up" *
          doctest::test_suite("release")) {
  // Calls that fail end at once: a warm-up cut where event times are short would cut failures away.
  Scenario scenario = simple_loop({.clients = 200, .service = ConstantTime{Seconds{0.01}}});
  JobPool& pool = scenario.jobs.front();
  pool.arrivals = PoissonArrivals{Rate{10.0}};
  pool.event.erase(pool.event.begin());
  server_of(scenario).failures = failures(0.01, 0.1);
  check_contains(measured(scenario, availability, 200), 0.1 / 0.11, 0.006);
}

TEST_CASE("requests that a failed server hands on are served as White, Christie, Mitrany and Avi-Itzhak say" *
          doctest::test_suite("release")) {
  for (const auto& [servers, rate] : std::vector<std::pair<std::uint64_t, double>>{{1, 0.6}, {2, 1.2}}) {
    Scenario scenario = poisson_calls(rate, exponential(1.0));
    server_of(scenario).nodes = servers;
    server_of(scenario).balancing = Balancing::central_queue;
    server_of(scenario).failures = failures(0.02, 0.1);
    // Exponential services have no memory: one that begins again at the queue's end leaves the number present as it is.
    call_of(scenario).rules.retries = retries(1000, ConstantTime{});
    const FailingServers queue{
        .arrivals_per_s = rate, .failures_per_s = 0.02, .repairs_per_s = 0.1, .servers = servers};
    const double expected = servers == 1 ? mm1_with_breakdowns(queue).present : mmc_with_breakdowns(queue).present;
    check_contains(measured(scenario, present, 12), expected, 0.20);
  }
}

TEST_CASE("what finds no place overflows to the fallback server, as M/M/c/K says") {
  constexpr double load = 2.5;
  Scenario scenario = poisson_calls(load, exponential(1.0));
  server_of(scenario).devices.count = 3;
  Model& model = model_of(scenario);
  model.dynamic_batching = true;
  model.queue_policy.max_queue_size = 1;
  Server spare = server_of(scenario);
  spare.name = "spare";
  spare.standby = true;
  spare.devices.count = 1000;
  scenario.servers.push_back(spare);
  call_of(scenario).rules.fallback = Fallback{.server = "spare"};
  double states = 1.0;
  double last = 1.0;
  for (int n = 1; n <= 4; ++n) {
    last *= load / std::min(n, 3);
    states += last;
  }
  const auto fell_back = [](const RunOutcome& outcome) {
    return calls_of(outcome).fell_back / calls_of(outcome).calls;
  };
  check_contains(measured(scenario, fell_back), last / states, 0.06);
}

TEST_CASE("a queue with one place whose rejected requests come again takes as long as its chain of retrials") {
  constexpr double lambda = 0.5;
  constexpr double nu = 0.2;
  Scenario scenario = poisson_calls(lambda, exponential(1.0));
  Model& model = model_of(scenario);
  model.dynamic_batching = true;
  model.queue_policy.max_queue_size = 1;
  call_of(scenario).rules.retries = retries(1000, ExponentialTime{Seconds{1.0 / nu}});
  const LevelChain chain(3, [=](std::size_t orbit, std::size_t in_system) {
    std::vector<Jump> jumps;
    if (in_system < 2) jumps.push_back({orbit, in_system + 1, lambda});
    if (in_system == 2) jumps.push_back({orbit + 1, 2, lambda});
    if (in_system > 0) jumps.push_back({orbit, in_system - 1, 1.0});
    if (orbit > 0 && in_system < 2) jumps.push_back({orbit - 1, in_system + 1, nu * static_cast<double>(orbit)});
    return jumps;
  });
  const double all =
      chain.mean([](std::size_t orbit, std::size_t in_system) { return static_cast<double>(orbit + in_system); });
  check_contains(measured(scenario, time_of_calls), all / lambda, 0.06);
}

TEST_CASE("what is on a link that breaks stands still, and what comes meanwhile waits, until it is repaired") {
  // Without an outage events end at 3, 6, ...; the transfer of the fourth goes from 10 to 11.
  for (const double from : {10.0, 10.5, 9.5}) {
    Scenario scenario = steady_line(100.0);
    scenario.outages.push_back({.link = {"here", "there"}, .from = Seconds{from}, .length = Seconds{10.0}});
    const RunOutcome outcome = lawful_run(scenario);
    // From 9.5 on it holds back what sets out at 10: half a second less.
    CHECK(outcome.jobs.front().event_time.max_s == doctest::Approx(from < 10.0 ? 12.5 : 13.0).epsilon(0.02));
    CHECK(outcome.jobs.front().event_time.count == 30);
  }
}

TEST_CASE("a link at half its speed makes transfers take twice as long") {
  Scenario scenario = steady_line(96.0);
  scenario.outages.push_back(
      {.link = {"there", "here"}, .speed = 0.5, .from = Seconds{0.0}, .length = Seconds{1000.0}});
  const RunOutcome outcome = lawful_run(scenario);
  CHECK(outcome.jobs.front().event_time.mean_s == doctest::Approx(4.0));
}

TEST_CASE("connections that have left a broken node do not come back to it, requests do") {
  for (const Balancing balancing : {Balancing::per_connection, Balancing::per_request}) {
    Scenario scenario = busy_clients(8, affine(1.0, 0.0));
    server_of(scenario).nodes = 2;
    server_of(scenario).balancing = balancing;
    server_of(scenario).dispatch = Dispatch::least_outstanding;
    scenario.outages.push_back({.server = "server", .nodes = 1, .from = Seconds{40.0}, .length = Seconds{40.0}});
    call_of(scenario).rules.retries = retries(5, ConstantTime{Seconds{0.1}});
    scenario.run.horizon = Seconds{240.0};
    const RunOutcome outcome = lawful_run(scenario);
    const auto rate_at = [&](double date) {
      const auto moment = std::find_if(outcome.over_time.begin(), outcome.over_time.end(),
                                       [=](const Moment& m) { return m.until_s >= date; });
      double sum = 0.0;
      for (auto m = moment; m < moment + 8; ++m) sum += m->events_per_s;
      return sum / 8;
    };
    CHECK(rate_at(20.0) == doctest::Approx(2.0).epsilon(0.1));
    CHECK(rate_at(60.0) == doctest::Approx(1.0).epsilon(0.1));
    CHECK(rate_at(200.0) == doctest::Approx(balancing == Balancing::per_request ? 2.0 : 1.0).epsilon(0.1));
  }
}

TEST_CASE("clients that nobody tells of a failure wait for their deadlines, and no call gets lost in the books") {
  Scenario scenario = poisson_calls(0.5, affine(0.2, 0.0));
  server_of(scenario).failures = failures(0.01, 0.05);
  server_of(scenario).failures->silent = true;
  server_of(scenario).failures->noticed = Seconds{1e9};
  call_of(scenario).rules.deadline = Seconds{5.0};
  const RunOutcome outcome = lawful_run(scenario);
  const CallOutcome calls = calls_of(outcome);
  // Late are those that come while it is down, which nothing else makes.
  CHECK(calls.late / calls.tries == doctest::Approx(1.0 / 6.0).epsilon(0.2));
  CHECK(calls.failed == calls.late);
  CHECK(calls.refused == 0.0);
  // None of them waits anywhere.
  CHECK(present(outcome) < 0.2);
}

TEST_CASE("under a constant load an autoscaler finds the nodes that its target asks for, and stays there") {
  // 4 requests a second of half a second each keep two devices busy: four at a use of one half.
  Scenario scenario = even_arrivals(4.0, 10, 1800.0);
  Autoscaler& rules = *server_of(scenario).autoscaler;
  rules.metric = ScalingMetric::utilisation;
  rules.target = 0.5;
  server_of(scenario).start_up = ConstantTime{Seconds{40.0}};
  const RunOutcome outcome = lawful_run(scenario);
  double first_reaction_s = 0.0;
  for (const Moment& moment : outcome.over_time) {
    if (first_reaction_s == 0.0 && moment.nodes_in_service > 1.0) first_reaction_s = moment.until_s;
    if (moment.until_s > 900.0) CHECK(moment.nodes_in_service == doctest::Approx(4.0));
  }
  // Two scrapes, a sync and the start come before the first new node.
  CHECK(first_reaction_s > 50.0);
  CHECK(first_reaction_s < 120.0);
}

TEST_CASE("a metric that comes from the servers alone never starts the first of them") {
  for (const bool counts_arrivals : {false, true}) {
    Scenario scenario = even_arrivals(1.0, 4, 600.0);
    Autoscaler& rules = *server_of(scenario).autoscaler;
    rules.least = rules.begin = 0;
    rules.metric = ScalingMetric::request_rate;
    rules.target = 2.0;
    rules.to_zero = ScaleToZero{.counts_arrivals = counts_arrivals};
    const RunOutcome outcome = lawful_run(scenario);
    const double last = outcome.over_time.back().nodes_in_service;
    CHECK(last == doctest::Approx(counts_arrivals ? 1.0 : 0.0));
    CHECK((calls_of(outcome).failed == calls_of(outcome).calls) == !counts_arrivals);
  }
}

TEST_CASE("a job infers on its own core once its local server has started, which it does once") {
  Scenario scenario = busy_clients(1, affine(1.0, 0.0));
  scenario.jobs.front().event.insert(scenario.jobs.front().event.begin(),
                                     CpuStage{"think", ConstantTime{Seconds{1.0}}, {}});
  InferStage& call = call_of(scenario);
  call.cpu_alternative = Seconds{4.0};
  call.rules.fallback = Fallback{.start_up = Seconds{30.0}};
  scenario.outages.push_back({.server = "server", .from = Seconds{0.5}, .length = Seconds{1000.0}});
  scenario.run.horizon = Seconds{100.0};
  const RunOutcome outcome = lawful_run(scenario);
  // 1 + 30 + 4, then 1 + 4 each: 35, 40, ..., 100.
  CHECK(outcome.jobs.front().event_time.count == 14);
  CHECK(outcome.jobs.front().event_time.max_s == doctest::Approx(35.0).epsilon(0.02));
  CHECK(calls_of(outcome).fell_back == calls_of(outcome).calls);
}

TEST_CASE("an event whose call fails for good ends its job where the scenario says so") {
  Scenario scenario = busy_clients(1, affine(1.0, 0.0));
  scenario.jobs.front().event.insert(scenario.jobs.front().event.begin(),
                                     CpuStage{"think", ConstantTime{Seconds{1.0}}, {}});
  scenario.jobs.front().events_per_job = 1000;
  scenario.jobs.front().job_setup = Seconds{7.0};
  call_of(scenario).rules.when_failed = FailedCall::job_ends;
  scenario.outages.push_back({.server = "server", .from = Seconds{20.5}, .length = Seconds{30.0}});
  scenario.run.horizon = Seconds{100.0};
  const RunOutcome outcome = lawful_run(scenario);
  // Events end at 2, 4, ..., 20; at 21 and, after set-ups of 7 s and a second of computing, at 29, 37 and 45 calls
  // fail; from 53 on they are answered.
  CHECK(outcome.jobs.front().events_failed == 4.0);
  CHECK(outcome.jobs.front().event_time.count == 10 + 24);
}

namespace {

/// The servers that hold the model, in their order, among which each job chooses once.
void name_servers(CallRules& rules, const std::string& model, const Scenario& scenario) {
  for (const Server& server : scenario.servers)
    if (!server.attached && std::count(server.models.begin(), server.models.end(), model) > 0)
      rules.servers.push_back(server.name);
  if (!rules.servers.empty()) rules.discovery = Discovery::per_job;
}

/// Whether each stage that could ask the server lets it judge its jobs.
bool may_judge(const Scenario& scenario, const Server& server) {
  for (const JobPool& pool : scenario.jobs)
    for (const InferStage* call : model_calls(pool))
      if (std::count(server.models.begin(), server.models.end(), call->model) > 0 && call->rules.servers.empty())
        return false;
  return !server.attached && server.balancing != Balancing::central_queue;
}

/// Adds what may come late, break or scale to a drawn scenario, as far as the checks let it pass.
void enliven(Scenario& scenario) {
  const auto some = [] { return *rc::gen::arbitrary<bool>(); };
  const auto chance = [](int of) { return *rc::gen::inRange(0, of) == 0; };
  // A client that gives a request up has lost the state of its sequence.
  const bool may_give_up = !scenario.models.begin()->second.sequence_batching;
  for (JobPool& pool : scenario.jobs) {
    if (!may_give_up) break;
    for (Stage& stage : pool.event) {
      auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr) continue;
      CallRules& rules = infer->rules;
      rules.deadline = Seconds{0.01 * *rc::gen::inRange(1, 2000)};
      if (some()) {
        rules.retries = retries(static_cast<std::uint64_t>(*rc::gen::inRange(0, 5)), any_time(0.0, 0.5));
        rules.retries->factor = 1.0 + *rc::gen::inRange(0, 3);
        rules.retries->jitter = 0.5 * *rc::gen::inRange(0, 3);
        rules.retries->on = some() ? RetryOn::other_node : RetryOn::any_node;
      }
      if (some()) infer->cpu_alternative = Seconds{1.0};
      if (infer->cpu_alternative && some()) rules.fallback = Fallback{.start_up = Seconds{2.0}};
      if (chance(4)) rules.when_failed = FailedCall::job_ends;
      if (some()) name_servers(rules, infer->model, scenario);
    }
  }
  for (Server& server : scenario.servers) {
    if (server.attached) continue;
    const auto law = [&] {
      FailureLaw drawn{.every = any_time(0.5, 30.0), .repair = any_time(0.1, 5.0), .silent = may_give_up && some()};
      if (some()) drawn.noticed = Seconds{1.0};
      return drawn;
    };
    if (some()) server.failures = law();
    if (some()) server.devices.failures = law();
    server.start_up = any_time(0.0, 2.0);
    if (may_judge(scenario, server))
      server.admission = Admission{.metric = static_cast<ScalingMetric>(*rc::gen::inRange(0, 5)),
                                   .most = 0.5,
                                   .scrape = Seconds{0.5},
                                   .window = Seconds{2.0},
                                   .unknown = some() ? UnknownLoad::admitted : UnknownLoad::refused};
    if (server.balancing == Balancing::central_queue || !chance(3)) continue;
    server.autoscaler = Autoscaler{.least = 1,
                                   .most = server.nodes + 2,
                                   .begin = server.nodes,
                                   .metric = static_cast<ScalingMetric>(*rc::gen::inRange(0, 5)),
                                   .target = 0.5,
                                   .scrape = Seconds{0.5},
                                   .window = Seconds{2.0},
                                   .sync = Seconds{1.0},
                                   .grace = Seconds{some() ? 0.0 : 5.0}};
    server.autoscaler->down.stabilisation = Seconds{2.0};
    server.nodes += 2;
  }
}

}  // namespace

TEST_CASE("whatever comes late, breaks or scales, every run keeps all laws and is the same again" *
          doctest::test_suite("drawn")) {
  CHECK(rc::check([] {
    Scenario scenario = any_serving_scenario();
    enliven(scenario);
    const Replica replica = short_run(scenario);
    const std::optional<RunOutcome> outcome = outcome_of(scenario, replica);
    if (!outcome) return;
    expect_lawful(*outcome);
    const std::optional<RunOutcome> again = outcome_of(scenario, replica);
    RC_ASSERT(again.has_value());
    RC_ASSERT(to_bytes(*again) == to_bytes(*outcome));
    for (const JobsOutcome& pool : outcome->jobs) {
      if (!pool.calls) continue;
      RC_ASSERT(pool.calls->failed + pool.calls->fell_back <= pool.calls->calls);
    }
  }));
}
