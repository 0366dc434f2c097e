#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/engine/calendar.hpp"
#include "sim/engine/network/flow_network.hpp"
#include "sim/engine/network/leg_network.hpp"
#include "sim/engine/simgrid_engine.hpp"
#include "sim/run/process_pool.hpp"
#include "tests/engine/drawn_scenarios.hpp"
#include "tests/engine/flow_topologies.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

/// Writes down when each call arrives.
struct Arrivals final : CallReceiver {
  void receive(Call& call, double now) override { call.sent = now; }
};

/// Sends each flow when it is due.
struct Starter final : Source {
  Starter(Calendar& own_calendar, const std::vector<DrawnFlow>& own_flows, std::deque<Call>& own_calls)
      : calendar(own_calendar), flows(own_flows), calls(own_calls), number(own_calendar.add(*this)) {
    if (!flows.empty()) calendar.reschedule(number, flows.front().start_s);
  }
  void fire(double now) override {
    Call& call = calls[next];
    call.phase_start = now;
    legs[flows[next].flow_class].begin(call, now);
    ++next;
    calendar.reschedule(number, next < flows.size() ? flows[next].start_s : Calendar::never);
  }
  Calendar& calendar;
  const std::vector<DrawnFlow>& flows;
  std::deque<Call>& calls;
  std::deque<FairLeg> legs;
  std::size_t next = 0;
  std::size_t number;
};

/// Flows of a few sizes or of many, at dates that may be equal.
std::vector<DrawnFlow> drawn_traffic(const FlowTopology& topology, Dice& dice, std::size_t count) {
  std::vector<DrawnFlow> flows;
  const std::size_t sizes = dice(2) == 0 ? 3 : 1000;
  const std::size_t gap = 1 + dice(40);
  double start_s = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    // Now and then all is quiet for long, so that links relax and classes become empty.
    start_s += static_cast<double>(dice(30) == 0 ? 10000 : dice(gap)) / 100.0;
    flows.push_back({dice(topology.caps.size()), start_s, static_cast<double>(1 + dice(sizes))});
  }
  return flows;
}

/// Sends the flows over legs and compares with the reckoning flow by flow.
void transfers_end_in_time(const FlowTopology& topology, const std::vector<DrawnFlow>& flows) {
  Calendar calendar;
  FlowNetwork network;
  Arrivals arrivals;
  std::deque<Call> calls;
  for (const DrawnFlow& flow : flows) calls.emplace_back().items = static_cast<std::uint32_t>(flow.bytes);
  Starter starter(calendar, flows, calls);
  for (const double capacity : topology.capacities) network.sharing().add_link(capacity);
  for (std::size_t c = 0; c < topology.caps.size(); ++c) {
    const std::size_t flow_class = network.sharing().add_class(topology.caps[c], topology.routes[c]);
    starter.legs.emplace_back(calendar, network, flow_class, 0.0, std::vector<double>{1.0}, arrivals);
  }
  calendar.run_until(1e9);
  const std::vector<double> expected = ends_one_by_one(topology, flows);
  std::vector<double> sent(topology.caps.size(), 0.0);
  std::vector<double> time_in_transfer(topology.caps.size(), 0.0);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    RC_ASSERT(std::abs(calls[i].sent - expected[i]) <= 1e-9 * expected[i]);
    sent[flows[i].flow_class] += flows[i].bytes;
    time_in_transfer[flows[i].flow_class] += expected[i] - flows[i].start_s;
  }
  const double now = calendar.now();
  for (std::size_t c = 0; c < sent.size(); ++c) {
    RC_ASSERT(std::abs(starter.legs[c].carried_bytes(now) - sent[c]) <= 1e-9 * sent[c]);
    RC_ASSERT(std::abs(starter.legs[c].transfers_area(now) - time_in_transfer[c]) <= 1e-9 * (1.0 + now));
  }
}

}  // namespace

TEST_CASE("transfers in virtual time end when a flow by flow reckoning ends them, and carry all their bytes") {
  const auto seed = [] { return *rc::gen::resize(1000, rc::gen::arbitrary<std::uint32_t>()); };
  CHECK(rc::check("one class on one link", [&] {
    Dice dice(seed());
    const FlowTopology link{.capacities = {static_cast<double>(5 + dice(40))},
                            .caps = {static_cast<double>(2 + dice(20))},
                            .routes = {{0}}};
    transfers_end_in_time(link, drawn_traffic(link, dice, 60));
  }));
  for (const auto& drawn : {drawn_mesh, drawn_star, drawn_grid}) {
    CHECK(rc::check([&] {
      Dice dice(seed());
      const FlowTopology topology = drawn(dice);
      transfers_end_in_time(topology, drawn_traffic(topology, dice, 120));
    }));
  }
}

namespace {

struct Way {
  std::vector<std::size_t> links;
  double cap;
};
struct Flow {
  double start_s;
  std::size_t way;
  std::uint32_t bytes;
};
struct Traffic {
  std::vector<double> capacities;
  std::vector<Way> ways;
  std::vector<Flow> flows;  // by start
  double latency_s = 0.0;
};

Traffic any_traffic() {
  Traffic traffic;
  const auto speed = [] { return *rc::gen::inRange(100'000, 10'000'000) * 1.0; };
  const int links = *rc::gen::inRange(1, 9);
  for (int l = 0; l < links; ++l) traffic.capacities.push_back(speed());
  const int ways = *rc::gen::inRange(1, 7);
  for (int w = 0; w < ways; ++w) {
    Way way{.links = *rc::gen::unique<std::vector<std::size_t>>(
                std::min<std::size_t>(traffic.capacities.size(), *rc::gen::inRange<std::size_t>(1, 5)),
                rc::gen::inRange<std::size_t>(0, traffic.capacities.size())),
            .cap = *rc::gen::arbitrary<bool>() ? speed() : std::numeric_limits<double>::infinity()};
    for (const std::size_t link : way.links) way.cap = std::min(way.cap, traffic.capacities[link]);
    traffic.ways.push_back(way);
  }
  traffic.latency_s = *rc::gen::element(0.0, 0.0123);
  const int flows = *rc::gen::inRange(50, 201);
  double start_s = 0.0;
  for (int f = 0; f < flows; ++f) {
    start_s += *rc::gen::inRange(1, 200'000) * 1e-6;
    traffic.flows.push_back({start_s, *rc::gen::inRange<std::size_t>(0, traffic.ways.size()),
                             *rc::gen::inRange<std::uint32_t>(100, 2'000'000)});
  }
  return traffic;
}

/// Writes down when each call arrives.
struct StockArrivals final : CallReceiver {
  void receive(Call& call, double now) override { call.arrived = now; }
};

/// Sends each flow when it is due.
struct StockStarter final : Source {
  StockStarter(Calendar& own_calendar, const Traffic& own_traffic)
      : calendar(own_calendar), traffic(own_traffic), number(own_calendar.add(*this)) {
    for (const Flow& flow : traffic.flows) calls.emplace_back().items = flow.bytes;
    calendar.reschedule(number, traffic.flows.front().start_s);
  }
  void fire(double now) override {
    Call& call = calls[next];
    call.phase_start = now;
    legs[traffic.flows[next].way]->begin(call, now);
    ++next;
    calendar.reschedule(number, next < calls.size() ? traffic.flows[next].start_s : Calendar::never);
  }
  Calendar& calendar;
  const Traffic& traffic;
  std::vector<std::unique_ptr<NetworkLeg>> legs;
  std::deque<Call> calls;
  std::size_t next = 0;
  std::size_t number;
};

/// What comes of the traffic: the end of each flow [s], then of each way the bytes carried, the area of its transfers
/// [s] and the sojourns [s].
std::vector<double> carried_by(FlowModel model, const Traffic& traffic) {
  Calendar calendar;
  StockArrivals arrivals;
  const auto network = make_leg_network(model, calendar, Seconds{100.0});
  for (const double capacity : traffic.capacities) network->add_link(capacity);
  StockStarter starter(calendar, traffic);
  for (const Way& way : traffic.ways)
    starter.legs.push_back(network->add_leg(way.cap, way.links, traffic.latency_s, {1.0}, arrivals));
  if (model == FlowModel::simgrid) {
    run_calendar(calendar, false);
  } else {
    calendar.run_until(1e9);
  }
  std::vector<double> numbers;
  for (const Call& call : starter.calls) numbers.push_back(call.arrived);
  for (const auto& leg : starter.legs) {
    numbers.push_back(leg->carried_bytes(calendar.now()));
    numbers.push_back(leg->transfers_area(calendar.now()));
    numbers.push_back(leg->meter(calendar.now()).sojourn_sum);
  }
  return numbers;
}

std::vector<double> carried_in_child(FlowModel model, const Traffic& traffic) {
  ProcessPool pool(1, {});
  pool.submit([&] {
    const std::vector<double> numbers = carried_by(model, traffic);
    std::string bytes(numbers.size() * sizeof(double), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
  });
  const auto ended = pool.wait();
  if (const auto* failure = std::get_if<TaskFailure>(&ended->result)) throw std::runtime_error(failure->message);
  const auto& bytes = std::get<std::string>(ended->result);
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

/// Few transfers, since SimGrid's network model looks at all that compete whenever one begins or ends.
Scenario small(Scenario scenario) {
  for (JobPool& pool : scenario.jobs) {
    pool.count = std::min<std::uint64_t>(pool.count, 8);
    pool.threads = 1;
    for (Stage& stage : pool.event)
      if (auto* infer = std::get_if<InferStage>(&stage))
        if (infer->items.largest() > 3 * infer->request_batch) infer->items = 3 * infer->request_batch;
  }
  return scenario;
}

/// A scenario in which no two things happen at the same moment, whose order could not be known: every duration is
/// drawn, every request is a batch of its own, no client has two under way.
Scenario without_coincidences() {
  Scenario scenario = small(any_serving_scenario({.random_times = true, .refusals = false, .several_pools = false}));
  for (auto& [name, model] : scenario.models) {
    model.dynamic_batching = false;
    model.preferred_batch_size.clear();
    model.max_queue_delay = {};
    for (auto& [type, law] : model.service) {
      law.points.clear();
      law.host = {};
      law.per_batch = ExponentialTime{Seconds{0.01}};
    }
  }
  for (JobPool& pool : scenario.jobs) {
    pool.arrivals.reset();
    pool.buffer.reset();
    pool.streams.reset();
    for (Stage& stage : pool.event) {
      if (auto* cpu = std::get_if<CpuStage>(&stage)) {
        cpu->time = ExponentialTime{Seconds{0.05}};
        cpu->needs.clear();
      }
      if (auto* infer = std::get_if<InferStage>(&stage)) {
        infer->in_flight = 1;
        infer->asynchronous = false;
      }
    }
  }
  // Narrow enough that transfers are in each other's way.
  for (Link& link : scenario.links) {
    link.bandwidth = Bandwidth{*rc::gen::inRange(1, 8) * 1e6};
    link.per_flow = Bandwidth{*rc::gen::inRange(1, 8) * 0.4e6};
  }
  return scenario;
}

/// Both flow models in a run of some hundred requests. Clients that wait for transfers which compete amplify
/// differences: rounding errors of 1e-15 s double about every twenty transfers where it goes fastest, and whole runs
/// are the same in distribution only.
std::pair<RunOutcome, RunOutcome> both_models(Scenario scenario) {
  constexpr double few_requests = 100.0;
  constexpr std::uint32_t slices = 32;
  Replica replica{.seed = scenario.run.seed, .index = 0, .length = run_length_for(scenario), .drain = true};
  const double requests = static_cast<double>(simulate_forked(scenario, replica).requests);
  const double whole_s = replica.length.slices * replica.length.slice.value;
  replica.length = {.slice = Seconds{whole_s * few_requests / requests / slices}, .slices = slices};
  const RunOutcome ours = simulate_forked(scenario, replica);
  scenario.flows = FlowModel::simgrid;
  return {ours, simulate_forked(scenario, replica)};
}

}  // namespace

TEST_CASE("the aggregated flows end when SimGrid's network model ends them, flow by flow") {
  CHECK(rc::check("CM02", [] {
    const Traffic traffic = any_traffic();
    const std::vector<double> ours = carried_in_child(FlowModel::aggregated, traffic);
    const std::vector<double> stock = carried_in_child(FlowModel::simgrid, traffic);
    RC_ASSERT(ours.size() == traffic.flows.size() + 3 * traffic.ways.size());
    RC_ASSERT(stock.size() == ours.size());
    for (std::size_t f = 0; f < traffic.flows.size(); ++f) {
      const double duration_s = ours[f] - traffic.flows[f].start_s;
      RC_ASSERT(duration_s >= traffic.flows[f].bytes / traffic.ways[traffic.flows[f].way].cap * (1 - 1e-9));
      RC_ASSERT(std::abs(stock[f] - ours[f]) <= 1e-6 * duration_s);
    }
    for (std::size_t i = traffic.flows.size(); i < ours.size(); ++i)
      RC_ASSERT(std::abs(stock[i] - ours[i]) <= 1e-6 * ours[i]);
  }));
}

TEST_CASE("a scenario answers the same with the flows of SimGrid's network model" * doctest::test_suite("drawn")) {
  CHECK(rc::check("scenarios", [] {
    const Scenario scenario = without_coincidences();
    const auto [ours, stock] = both_models(scenario);
    RC_LOG() << described(scenario);
    RC_ASSERT(stock.requests == ours.requests);
    for (std::size_t p = 0; p < ours.jobs.size(); ++p) {
      const double expected = ours.jobs[p].event_time.mean_s;
      RC_ASSERT(std::abs(stock.jobs[p].event_time.mean_s - expected) <= 1e-6 * expected);
    }
  }));
}

TEST_CASE("every law that a run must satisfy holds with SimGrid's flows too, for whatever scenario is drawn" *
          doctest::test_suite("drawn")) {
  CHECK(rc::check("laws", [] {
    Scenario scenario = small(any_serving_scenario());
    scenario.flows = FlowModel::simgrid;
    Replica replica{.seed = scenario.run.seed, .index = 0, .length = run_length_for(scenario), .drain = true};
    replica.length.slice = replica.length.slice * 0.2;
    const RunOutcome outcome = simulate_forked(scenario, replica);
    for (const Check& check : outcome.checks)
      if (!check.passed) RC_FAIL(check.name + ": " + check.detail + "\n" + described(scenario));
  }));
}
