#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <deque>
#include <vector>

#include "sim/engine/fair_leg.hpp"
#include "tests/engine/flow_topologies.hpp"

using namespace saturn;

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
