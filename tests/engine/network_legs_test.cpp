#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/engine/calendar.hpp"
#include "sim/engine/call_window.hpp"
#include "sim/engine/network/leg_network.hpp"
#include "sim/engine/simgrid_engine.hpp"
#include "sim/run/process_pool.hpp"
#include "tests/engine/dated_source.hpp"
#include "tests/engine/drawn_scenarios.hpp"
#include "tests/engine/flow_topologies.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

/// Flows over links, each of which has first to travel for a while.
struct Traffic {
  FlowTopology over;
  std::vector<DrawnFlow> flows;  ///< by start; whole numbers of bytes
  double latency_s = 0.0;
  bool sealed = false;
  std::vector<std::pair<double, double>> speeds = {};  ///< date [s] and share of its capacity of the first link
};

/// Flows of a few sizes or of many, at dates that may be equal.
Traffic drawn_traffic(const FlowTopology& topology, Dice& dice, std::size_t count) {
  Traffic traffic{.over = topology, .flows = {}, .sealed = dice(2) == 0};
  const std::size_t sizes = dice(2) == 0 ? 3 : 1000;
  const std::size_t gap = 1 + dice(40);
  double start_s = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    // Now and then all is quiet for long, so that links relax and classes become empty.
    start_s += static_cast<double>(dice(30) == 0 ? 10000 : dice(gap)) / 100.0;
    traffic.flows.push_back({dice(topology.caps.size()), start_s, static_cast<double>(1 + dice(sizes))});
  }
  return traffic;
}

/// Links, classes and flows of which no two are equal.
Traffic any_traffic() {
  Traffic traffic;
  FlowTopology& over = traffic.over;
  const auto speed = [] { return *rc::gen::inRange(100'000, 10'000'000) * 1.0; };
  const int links = *rc::gen::inRange(1, 9);
  for (int l = 0; l < links; ++l) over.capacities.push_back(speed());
  const int classes = *rc::gen::inRange(1, 7);
  for (int c = 0; c < classes; ++c) {
    over.routes.push_back(*rc::gen::unique<std::vector<std::size_t>>(
        std::min<std::size_t>(over.capacities.size(), *rc::gen::inRange<std::size_t>(1, 5)),
        rc::gen::inRange<std::size_t>(0, over.capacities.size())));
    over.caps.push_back(*rc::gen::arbitrary<bool>() ? speed() : std::numeric_limits<double>::infinity());
    for (const std::size_t link : over.routes.back())
      over.caps.back() = std::min(over.caps.back(), over.capacities[link]);
  }
  traffic.latency_s = *rc::gen::element(0.0, 0.0123);
  traffic.sealed = *rc::gen::arbitrary<bool>();
  const int flows = *rc::gen::inRange(50, 201);
  double start_s = 0.0;
  for (int f = 0; f < flows; ++f) {
    start_s += *rc::gen::inRange(1, 200'000) * 1e-6;
    traffic.flows.push_back(
        {*rc::gen::inRange<std::size_t>(0, over.caps.size()), start_s, *rc::gen::inRange(100, 2'000'000) * 1.0});
  }
  return traffic;
}

/// What comes of the traffic: the end of each flow [s], then of each class the bytes carried, the area of its transfers
/// [s] and the sojourns [s].
std::vector<double> carried_by(FlowModel model, const Traffic& traffic) {
  struct Arrivals final : CallReceiver {
    void receive(Call& call, double now) override { call.arrived = now; }
  };
  Calendar calendar;
  Arrivals arrivals;
  const auto network = make_leg_network(model, calendar, Seconds{100.0});
  std::vector<std::unique_ptr<NetworkLeg>> legs;
  CallWindow window;
  std::deque<Call> calls;
  std::vector<double> starts_s;
  for (const DrawnFlow& flow : traffic.flows) {
    calls.emplace_back().window = &window;
    calls.back().items = static_cast<std::uint32_t>(flow.bytes);
    starts_s.push_back(flow.start_s);
  }
  const DatedSource starter(calendar, starts_s, [&](std::size_t flow, double now) {
    calls[flow].phase_start = now;
    legs[traffic.flows[flow].flow_class]->begin(calls[flow], now);
  });
  for (const double capacity : traffic.over.capacities) network->add_link(capacity);
  for (std::size_t c = 0; c < traffic.over.caps.size(); ++c)
    legs.push_back(network->add_leg(traffic.over.caps[c], traffic.over.routes[c], traffic.latency_s, {1.0}, arrivals));
  if (traffic.sealed) network->seal();
  std::vector<double> changes_s;
  for (const auto& [date_s, share] : traffic.speeds) changes_s.push_back(date_s);
  const DatedSource changer(calendar, changes_s, [&](std::size_t change, double now) {
    network->set_speed(0, traffic.speeds[change].second, now);
  });
  if (model == FlowModel::simgrid) {
    run_calendar(calendar, false);
  } else {
    calendar.run_until(1e9);
  }
  std::vector<double> numbers;
  for (const Call& call : calls) numbers.push_back(call.arrived);
  for (const auto& leg : legs) {
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

/// Compares the aggregated flows with the reckoning flow by flow.
void transfers_end_in_time(const Traffic& traffic) {
  const std::vector<double> numbers = carried_by(FlowModel::aggregated, traffic);
  const std::vector<double> ends = ends_one_by_one(traffic.over, traffic.flows);
  const std::size_t classes = traffic.over.caps.size();
  std::vector<double> sent(classes, 0.0);
  std::vector<double> time_in_transfer(classes, 0.0);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const DrawnFlow& flow = traffic.flows[i];
    RC_ASSERT(std::abs(numbers[i] - ends[i]) <= 1e-9 * ends[i]);
    sent[flow.flow_class] += flow.bytes;
    time_in_transfer[flow.flow_class] += ends[i] - flow.start_s;
  }
  for (std::size_t c = 0; c < classes; ++c) {
    const double* of_class = &numbers[ends.size() + 3 * c];
    RC_ASSERT(std::abs(of_class[0] - sent[c]) <= 1e-9 * sent[c]);
    RC_ASSERT(std::abs(of_class[1] - time_in_transfer[c]) <= 1e-9 * (1.0 + ends.back()));
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
    transfers_end_in_time(drawn_traffic(link, dice, 60));
  }));
  for (const auto& drawn : {drawn_mesh, drawn_star, drawn_grid}) {
    CHECK(rc::check([&] {
      Dice dice(seed());
      const FlowTopology topology = drawn(dice);
      transfers_end_in_time(drawn_traffic(topology, dice, 120));
    }));
  }
}

TEST_CASE("a leg that has its links for itself carries what one of a group does, whatever becomes of a link's speed") {
  CHECK(rc::check([] {
    Dice dice(*rc::gen::resize(1000, rc::gen::arbitrary<std::uint32_t>()));
    const FlowTopology links{.capacities = {static_cast<double>(10 + dice(40)), static_cast<double>(5 + dice(40))},
                             .caps = {static_cast<double>(2 + dice(20))},
                             .routes = {{0, 1}}};
    // So many that the leg is free again between them.
    Traffic alone = drawn_traffic(links, dice, 400);
    alone.sealed = false;
    alone.latency_s = dice(2) == 0 ? 0.0 : 0.3;
    // Soon after a transfer has begun, but never when one begins or ends: there the order of the two would decide.
    double date_s = 0.0;
    for (std::size_t f = 0; f < alone.flows.size(); f += 1 + dice(20)) {
      date_s = std::max(date_s + 0.001, alone.flows[f].start_s + static_cast<double>(1 + dice(100)) / 310.0 + 1.2e-7);
      alone.speeds.emplace_back(date_s, dice(5) == 0 ? 0.0 : static_cast<double>(1 + dice(4)) / 4.0);
    }
    alone.speeds.emplace_back(date_s + 1.0, 1.0);
    Traffic beside = alone;
    beside.over.caps.push_back(1.0);
    beside.over.routes.push_back({0, 1});
    const std::vector<double> ours = carried_by(FlowModel::aggregated, alone);
    const std::vector<double> of_group = carried_by(FlowModel::aggregated, beside);
    for (std::size_t i = 0; i < ours.size(); ++i) RC_ASSERT(std::abs(ours[i] - of_group[i]) <= 1e-7 * of_group[i]);
  }));
}

TEST_CASE("a link of a sealed network cannot change its speed") {
  Calendar calendar;
  const auto network = make_leg_network(FlowModel::aggregated, calendar, Seconds{1.0});
  network->add_link(1.0);
  network->seal();
  CHECK_THROWS_AS(network->set_speed(0, 0.5, 0.0), std::logic_error);
}

TEST_CASE("the aggregated flows end when SimGrid's network model ends them, flow by flow" *
          doctest::test_suite("release")) {
  CHECK(rc::check("CM02", [] {
    const Traffic traffic = any_traffic();
    const std::vector<double> ours = carried_in_child(FlowModel::aggregated, traffic);
    const std::vector<double> stock = carried_in_child(FlowModel::simgrid, traffic);
    RC_ASSERT(ours.size() == traffic.flows.size() + 3 * traffic.over.caps.size());
    RC_ASSERT(stock.size() == ours.size());
    for (std::size_t f = 0; f < traffic.flows.size(); ++f) {
      const double duration_s = ours[f] - traffic.flows[f].start_s;
      RC_ASSERT(duration_s >= traffic.flows[f].bytes / traffic.over.caps[traffic.flows[f].flow_class] * (1 - 1e-9));
      RC_ASSERT(std::abs(stock[f] - ours[f]) <= 1e-6 * duration_s);
    }
    for (std::size_t i = traffic.flows.size(); i < ours.size(); ++i)
      RC_ASSERT(std::abs(stock[i] - ours[i]) <= 1e-6 * ours[i]);
  }));
}

namespace {

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
  Scenario scenario = small(
      any_serving_scenario({.random_times = true, .refusals = false, .several_pools = false, .sequences = false}));
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
    RC_LOG() << described(scenario);
    const std::optional<RunOutcome> outcome = outcome_of(scenario, short_run(scenario, 150.0));
    RC_PRE(outcome.has_value());
    expect_lawful(*outcome);
  }));
}
