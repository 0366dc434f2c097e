#include "sim/engine/server_node.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

using namespace saturn;

namespace {

struct Stamps final : ServiceListener {
  void service_started(Call& call, double now) override { call.phase_start = now; }
  void service_finished(Call& call, double now) override { call.sent = now; }
};

struct Arriving final : Source {
  Arriving(Calendar& own_calendar, std::deque<Call>& own_calls, const std::vector<double>& own_dates)
      : calendar(own_calendar), calls(own_calls), dates(own_dates), number(own_calendar.add(*this)) {}
  void fire(double now) override {
    node->receive(calls[next++], now);
    calendar.reschedule(number, next < dates.size() ? dates[next] : Calendar::never);
  }
  Calendar& calendar;
  std::deque<Call>& calls;
  const std::vector<double>& dates;
  ServerNode* node = nullptr;
  std::size_t next = 0;
  std::size_t number;
};

}  // namespace

TEST_CASE("a node serves first come first served on the device that is free first, as Kiefer and Wolfowitz reckon") {
  CHECK(rc::check("G/G/c", [] {
    const auto devices = *rc::gen::inRange<std::uint32_t>(1, 5);
    const auto drawn = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, 30), rc::gen::inRange(1, 60))));
    std::vector<double> dates;
    std::deque<Call> calls;
    double date = 0.0;
    for (const auto& [gap, items] : drawn) {
      date += gap;
      dates.push_back(date);
      calls.emplace_back().items = static_cast<std::uint32_t>(items);
    }
    const ServiceLaw law{ConstantTime{Seconds{0.5}}, ConstantTime{Seconds{1.0}}};
    Calendar calendar;
    Stamps stamps;
    Arriving arriving(calendar, calls, dates);
    ServerNode node(calendar, devices, {&law}, RandomStream(1, 0, 0, Purpose::service), stamps);
    arriving.node = &node;
    calendar.reschedule(arriving.number, dates.front());
    calendar.run_until(1e9);

    std::vector<double> free_at(devices, 0.0);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const auto first = std::min_element(free_at.begin(), free_at.end());
      const double start = std::max(dates[i], *first);
      *first = start + 0.5 + calls[i].items;
      RC_ASSERT(calls[i].phase_start == start);
      RC_ASSERT(calls[i].sent == *first);
    }
    const StationMeter meter = node.meter(calendar.now());
    RC_ASSERT(meter.departures == calls.size());
    RC_ASSERT(meter.idle_while_waiting == 0u);
    RC_ASSERT(std::abs(meter.busy_area - meter.work_sum) <= 1e-9 * meter.work_sum);
  }));
}
