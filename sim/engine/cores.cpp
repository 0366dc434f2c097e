#include "sim/engine/cores.hpp"

namespace saturn {

StationMeter CoresMeter::read(double now) const {
  StationMeter meter = counted;
  const double elapsed = now - last_change;
  meter.present_area += static_cast<double>(present) * elapsed;
  meter.busy_area += static_cast<double>(holding) * elapsed;
  meter.present = present;
  meter.age_sum = static_cast<double>(present) * now - present_since;
  meter.work_so_far = static_cast<double>(holding) * now - holding_since;
  return meter;
}

void Cores::count(double now) {
  const double elapsed = now - meter_->last_change;
  meter_->counted.present_area += static_cast<double>(meter_->present) * elapsed;
  meter_->counted.busy_area += static_cast<double>(meter_->holding) * elapsed;
  meter_->last_change = now;
}

bool Cores::ask(CoreHold& loop, double now) {
  count(now);
  ++meter_->counted.arrivals;
  ++meter_->present;
  meter_->present_since += now;
  loop.asked_ = now;
  if (free_ > 0) {
    if (first_ != nullptr) ++meter_->counted.idle_while_waiting;
    --free_;
    grant(loop, now);
    return true;
  }
  loop.next_ = nullptr;
  (first_ == nullptr ? first_ : last_->next_) = &loop;
  last_ = &loop;
  return false;
}

void Cores::grant(CoreHold& loop, double now) {
  ++meter_->holding;
  meter_->holding_since += now;
  loop.granted_ = now;
  loop.held_ = true;
}

void Cores::give_back(CoreHold& loop, double now) {
  count(now);
  meter_->counted.left(now - loop.asked_);
  meter_->counted.work_sum += now - loop.granted_;
  --meter_->present;
  --meter_->holding;
  meter_->present_since -= loop.asked_;
  meter_->holding_since -= loop.granted_;
  loop.held_ = false;
  if (first_ == nullptr) {
    ++free_;
    return;
  }
  CoreHold& next = *first_;
  first_ = next.next_;
  grant(next, now);
  // By the timers, not from here: loops that need no time would go deeper and deeper into each other.
  timers_->wake(next.loop_, now);
}

}  // namespace saturn
