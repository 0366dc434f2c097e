#include "sim/engine/arrivals.hpp"

#include <algorithm>
#include <utility>

#include "sim/engine/client.hpp"

namespace saturn {

Arrivals::Arrivals(Calendar& calendar, ArrivalStream dates, std::optional<std::uint64_t> buffer, PoolMeter& meter)
    : calendar_(calendar), dates_(std::move(dates)), buffer_(buffer), meter_(meter), source_(calendar.add(*this)) {
  calendar_.reschedule(source_, dates_.next());
}

void Arrivals::fire(double now) {
  calendar_.reschedule(source_, dates_.next());
  ArrivalMeter& meter = meter_.arrivals;
  ++meter.arrived;
  if (idle_.empty() && buffer_ && waiting_.size() >= *buffer_) {
    ++meter.lost;
    return;
  }
  meter.count_to(now, meter_.open);
  ++meter_.open;
  meter_.open_starts += now;
  if (idle_.empty()) {
    waiting_.push(now);
    meter.waiting = waiting_.size();
    meter.most_waiting = std::max(meter.most_waiting, meter.waiting);
    return;
  }
  ++meter.begun;
  const IdleStream first = idle_.pop();
  *first.arrived = now;
  first.stream->go_on();
}

bool Arrivals::take_waiting(double& arrived) {
  if (waiting_.empty()) return false;
  ArrivalMeter& meter = meter_.arrivals;
  meter.count_to(calendar_.now(), meter_.open);
  arrived = waiting_.pop();
  meter.waiting = waiting_.size();
  meter.wait_sum += calendar_.now() - arrived;
  ++meter.begun;
  return true;
}

}  // namespace saturn
