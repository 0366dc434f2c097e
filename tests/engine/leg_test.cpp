#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <deque>
#include <vector>

#include "sim/engine/fair_leg.hpp"

using namespace saturn;

namespace {

/// Writes down when each call arrives.
struct Arrivals final : CallReceiver {
  void receive(Call& call, double now) override { call.sent = now; }
};

struct Flow {
  double start_s;
  double bytes;
};

/// The obvious way: the remaining bytes of every flow, brought up to date at every start and end.
std::vector<double> one_by_one(const std::vector<Flow>& flows, double capacity, double cap) {
  std::vector<double> left(flows.size());
  std::vector<double> ends(flows.size(), -1.0);
  for (std::size_t i = 0; i < flows.size(); ++i) left[i] = flows[i].bytes;
  double now = 0.0;
  for (;;) {
    double active = 0.0;
    double next = Calendar::never;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (ends[i] >= 0.0) continue;
      if (flows[i].start_s > now) {
        next = std::min(next, flows[i].start_s);
      } else {
        active += 1.0;
      }
    }
    if (active == 0.0 && next == Calendar::never) return ends;
    const double rate = active > 0.0 ? std::min(cap, capacity / active) : 0.0;
    std::size_t first = flows.size();
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (ends[i] >= 0.0 || flows[i].start_s > now) continue;
      if (now + left[i] / rate <= next) {
        next = now + left[i] / rate;
        first = i;
      }
    }
    for (std::size_t i = 0; i < flows.size(); ++i)
      if (ends[i] < 0.0 && flows[i].start_s <= now) left[i] -= rate * (next - now);
    now = next;
    if (first < flows.size()) ends[first] = now;
  }
}

/// Sends each flow when it is due.
struct Starter final : Source {
  Starter(Calendar& own_calendar, const std::vector<Flow>& own_flows, std::deque<Call>& own_calls)
      : calendar(own_calendar), flows(own_flows), calls(own_calls), number(own_calendar.add(*this)) {}
  void fire(double now) override {
    Call& call = calls[next];
    call.phase_start = now;
    leg->begin(call, now);
    ++next;
    calendar.reschedule(number, next < flows.size() ? flows[next].start_s : Calendar::never);
  }
  Calendar& calendar;
  const std::vector<Flow>& flows;
  std::deque<Call>& calls;
  Leg* leg = nullptr;
  std::size_t next = 0;
  std::size_t number;
};

}  // namespace

TEST_CASE("transfers in virtual time end when a flow by flow reckoning ends them") {
  CHECK(rc::check("processor sharing", [] {
    const double capacity = *rc::gen::inRange(50, 400);
    const double cap = *rc::gen::inRange(20, 200);
    const auto drawn = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, 300), rc::gen::inRange(1, 6)));
    std::vector<Flow> flows;
    double start_s = 0.0;
    for (const auto& [gap, size] : drawn) {
      start_s += gap / 100.0;
      flows.push_back({start_s, 100.0 * size});
    }
    Calendar calendar;
    FlowNetwork network;
    Arrivals arrivals;
    const std::size_t link = network.sharing().add_link(capacity);
    const std::size_t flow_class = network.sharing().add_class(std::min(cap, capacity), {link});
    FairLeg leg(calendar, network, flow_class, 0.0, {100.0}, arrivals);
    std::deque<Call> calls;
    for (const auto& [gap, size] : drawn) calls.emplace_back().items = static_cast<std::uint32_t>(size);
    Starter starter(calendar, flows, calls);
    starter.leg = &leg;
    if (!flows.empty()) calendar.reschedule(starter.number, flows.front().start_s);
    calendar.run_until(1e9);
    const std::vector<double> expected = one_by_one(flows, capacity, std::min(cap, capacity));
    double total = 0.0;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      RC_ASSERT(std::abs(calls[i].sent - expected[i]) <= 1e-9 * expected[i]);
      total += flows[i].bytes;
    }
    RC_ASSERT(std::abs(leg.carried_bytes(calendar.now()) - total) <= 1e-9 * total);
  }));
}
