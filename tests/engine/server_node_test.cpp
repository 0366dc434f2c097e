#include "sim/engine/serving/server_node.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/scenario_traits.hpp"
#include "tests/engine/dated_source.hpp"
#include "tests/engine/drawn_scenarios.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

/// Writes down when calls leave, in what batches they were executed, and who was turned away.
struct Ledger final : ServiceListener {
  void batch_sent(std::uint16_t, std::uint32_t items, SendReason) override { batches.push_back(items); }
  void rejected(std::uint16_t) override { ++refused; }
  void step_done(const Call&, std::uint16_t, double, double, double) override {}
  void left(Call& call, double now) override { call.sent = now; }
  void lost(Call&, bool, double) override { ++vanished; }
  std::vector<std::uint32_t> batches;
  std::uint64_t refused = 0;
  std::uint64_t vanished = 0;
};

/// A node of one model, and the calls that come to it.
struct Bench {
  Bench(const NodePlan& plan, const std::vector<double>& dates, const std::vector<std::uint32_t>& items)
      : arriving(calendar, dates, [this](std::size_t i, double now) { node.receive(calls[i], now); }),
        node(calendar, plan, RandomStream(1, 0, 0, Purpose::service), ledger) {
    for (const std::uint32_t n : items) calls.emplace_back().items = n;
  }
  Calendar calendar;
  std::deque<Call> calls;
  Ledger ledger;
  DatedSource arriving;
  ServerNode node;
};

NodePlan plan_of(const ServiceLaw& law, std::uint64_t devices, BatchingRules rules = {}) {
  NodePlan plan;
  plan.shares.assign(devices, 1.0);
  plan.models = {{.number = 0, .law = &law, .rules = std::move(rules)}};
  plan.chains = {{0}};
  return plan;
}

BatchingRules dynamic_rules(std::uint32_t max_batch_size, double delay_s) {
  BatchingRules rules;
  rules.dynamic = true;
  rules.max_batch_size = max_batch_size;
  rules.max_queue_delay = Seconds{delay_s};
  return rules;
}

}  // namespace

TEST_CASE("a node serves first come first served on the device that is free first, as Kiefer and Wolfowitz reckon") {
  CHECK(rc::check("G/G/c", [] {
    const auto devices = *rc::gen::inRange<std::uint64_t>(1, 5);
    const auto drawn = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, 30), rc::gen::inRange(1, 60))));
    std::vector<double> dates;
    std::vector<std::uint32_t> items;
    double date = 0.0;
    for (const auto& [gap, size] : drawn) {
      date += gap;
      dates.push_back(date);
      items.push_back(static_cast<std::uint32_t>(size));
    }
    const ServiceLaw law{.per_batch = ConstantTime{Seconds{0.5}}, .per_item = ConstantTime{Seconds{1.0}}};
    const NodePlan plan = plan_of(law, devices);
    Bench bench(plan, dates, items);
    bench.calendar.run_until(1e9);

    std::vector<double> free_at(devices, 0.0);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto first = std::min_element(free_at.begin(), free_at.end());
      const double start = std::max(dates[i], *first);
      *first = start + 0.5 + items[i];
      RC_ASSERT(bench.calls[i].queue_s == start - dates[i]);
      RC_ASSERT(bench.calls[i].sent == *first);
    }
    const StationMeter meter = bench.node.meter(bench.calendar.now());
    RC_ASSERT(meter.departures == items.size());
    RC_ASSERT(meter.idle_while_waiting == 0u);
    RC_ASSERT(std::abs(meter.busy_area - meter.work_sum) <= 1e-9 * meter.work_sum);
  }));
}

TEST_CASE("meters read in the middle count those who are present with their age and their service so far") {
  const ServiceLaw law{.per_batch = ConstantTime{Seconds{4.0}}, .per_item = ConstantTime{Seconds{0.0}}};
  const NodePlan plan = plan_of(law, 1);
  Bench bench(plan, {1.0, 2.0, 3.0}, {1, 1, 1});
  bench.calendar.run_until(3.0);
  // One in service since 1 s, two waiting since 2 s and 3 s.
  StationMeter meter = bench.node.meter(4.5);
  CHECK(meter.present == 3);
  CHECK(meter.age_sum == doctest::Approx(3.5 + 2.5 + 1.5));
  CHECK(meter.work_so_far == doctest::Approx(3.5));
  CHECK(meter.present_area == doctest::Approx(7.5));
  CHECK(meter.busy_area == doctest::Approx(3.5));
  bench.calendar.run_until(6.0);
  meter = bench.node.meter(6.0);
  CHECK(meter.departures == 1);
  CHECK(meter.sojourn_sum == doctest::Approx(4.0));
  CHECK(meter.work_sum == doctest::Approx(4.0));
  CHECK(meter.work_so_far == doctest::Approx(1.0));
  CHECK(bench.node.busy_instances_area(0, 6.0) == doctest::Approx(5.0));
}

TEST_CASE("a batch whose delay is over takes all that wait, and the time it was held back is told") {
  const ServiceLaw law{.per_batch = ConstantTime{Seconds{10.0}}, .per_item = ConstantTime{Seconds{0.0}}};
  const NodePlan plan = plan_of(law, 1, dynamic_rules(4, 2.0));
  Bench bench(plan, {0.0, 1.5, 3.0, 13.5}, {1, 2, 1, 4});
  bench.calendar.run_until(1e3);
  // 0 and 1.5 leave together at 2; 3 waits for the instance until 12, by when its delay is over; 13.5 is full at once
  // but finds the instance in use until 22.
  CHECK(bench.ledger.batches == std::vector<std::uint32_t>{3, 1, 4});
  const double left[] = {12.0, 12.0, 22.0, 32.0};
  const double held_back[] = {2.0, 0.5, 0.0, 0.0};
  const double queued[] = {2.0, 0.5, 9.0, 8.5};
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    CHECK(bench.calls[i].sent == left[i]);
    CHECK(bench.calls[i].fill_s == doctest::Approx(held_back[i]));
    CHECK(bench.calls[i].queue_s == doctest::Approx(queued[i]));
    CHECK(bench.calls[i].compute_s == doctest::Approx(10.0));
  }
}

TEST_CASE("items of different lengths cost by their sum when ragged and by the longest when padded") {
  const ServiceLaw law{.per_batch = ConstantTime{Seconds{1.0}}, .per_item = ConstantTime{Seconds{1.0}}};
  for (const LengthRule rule : {LengthRule::ragged, LengthRule::padded}) {
    NodePlan plan = plan_of(law, 1, dynamic_rules(8, 0.0));
    plan.models.front().lengths = rule;
    plan.models.front().cost_by_sum = rule == LengthRule::ragged;
    // The first keeps the instance busy; the two behind it make up a batch: 2 items of length 3 and 3 of length 0.5.
    Bench bench(plan, {0.0, 0.5, 0.5}, {1, 2, 3});
    bench.calls[1].length = 3.0F;
    bench.calls[2].length = 0.5F;
    bench.calendar.run_until(1e3);
    const double cost = rule == LengthRule::ragged ? 1.0 + 2 * 3.0 + 3 * 0.5 : 1.0 + 5 * 3.0;
    CHECK(bench.calls[0].sent == 2.0);
    CHECK(bench.calls[1].sent == 2.0 + cost);
    CHECK(bench.calls[2].sent == 2.0 + cost);
  }
}

TEST_CASE("a full queue turns away, a timeout rejects when the batcher looks, and nobody is lost") {
  const ServiceLaw law{.per_batch = ConstantTime{Seconds{10.0}}, .per_item = ConstantTime{Seconds{0.0}}};
  BatchingRules rules = dynamic_rules(1, 0.0);
  rules.queue_policy = {.max_queue_size = 2, .timeout = Seconds{8.0}, .timeout_action = TimeoutAction::reject};
  const NodePlan plan = plan_of(law, 1, rules);
  Bench bench(plan, {0.0, 1.0, 3.0, 4.0}, {1, 1, 1, 1});
  bench.calendar.run_until(1e3);
  // At 4 two wait: the fourth is turned away. At 10 the second has waited 9 s, too long; the third 7 s.
  CHECK(bench.ledger.refused == 2);
  const bool turned_away[] = {false, true, false, true};
  const double left[] = {10.0, 10.0, 20.0, 4.0};
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    CHECK((bench.calls[i].rejected ? true : false) == turned_away[i]);
    CHECK(bench.calls[i].sent == left[i]);
  }
  const StationMeter meter = bench.node.meter(bench.calendar.now());
  CHECK(meter.arrivals == 4);
  CHECK(meter.departures == 4);
}

/// The order in which servers stand in the file is no property of the system.

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
  Reading of;
};

std::vector<Figure> figures_of(const Scenario& scenario) {
  std::vector<Figure> figures = {
      {"event time", [](const RunOutcome& o) { return o.jobs.front().event_time.mean_s; }},
      {"rate", [](const RunOutcome& o) { return o.jobs.front().events_per_s; }},
      {"latency", [](const RunOutcome& o) { return o.models.front().latency.mean_s; }},
      {"queue", [](const RunOutcome& o) { return o.models.front().queue_s; }},
      {"p95 of the latency", [](const RunOutcome& o) { return o.models.front().latency.p95_s; }}};
  for (const Server& server : scenario.servers)
    figures.push_back({"use of " + server.name, [pool = server.name + "/" + server.devices.type](const RunOutcome& o) {
                         return resource_of(o, pool).busy_fraction;
                       }});
  return figures;
}

Replica a_part_of_a_run(const Scenario& scenario, std::uint32_t replica) {
  Replica part = short_run(scenario, 800.0);
  part.index = replica;
  return part;
}

struct Spread {
  double mean = 0.0;
  double of_mean = 0.0;  // variance
};

Spread spread_of(const std::vector<RunOutcome>& outcomes, const Reading& of) {
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
  // Where only one node can be chosen nothing is drawn.
  CHECK(is_deterministic(unlike_servers({t4}, Dispatch::least_outstanding)));
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
      as_written.push_back(simulate_forked(scenario, a_part_of_a_run(scenario, replica)));
      otherwise.push_back(simulate_forked(turned, a_part_of_a_run(turned, replica)));
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
