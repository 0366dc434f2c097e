#include "sim/engine/simgrid_clock.hpp"

#include <algorithm>

namespace saturn {

double SimGridClock::next_occurring_event(double now) {
  if (failure_ || calendar_.stopped() || calendar_.next_date() == Calendar::never) return -1.0;
  asked_ = calendar_.next_date();
  asked_delta_ = std::max(0.0, asked_ - now);
  return asked_delta_;
}

void SimGridClock::update_actions_state(double now, double delta) {
  if (failure_ || asked_delta_ < 0.0) return;
  try {
    if (drain_) {
      calendar_.run_until(Calendar::never);
    } else {
      // The engine adds steps to its clock, so `now` may miss our date by a rounding error; the step tells whose turn
      // it is.
      calendar_.run_until(delta >= asked_delta_ ? asked_ : now);
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
}

}  // namespace saturn
