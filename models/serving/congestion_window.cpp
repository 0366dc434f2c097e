#include "models/serving/congestion_window.hpp"

#include <algorithm>
#include <cmath>

namespace saturn {

CongestionWindow::CongestionWindow(const SlowStart& rules, double bytes_per_s, double round_trip_s)
    : initial_(rules.initial_window.value),
      restart_s_(rules.idle_restart.value),
      bytes_per_s_(bytes_per_s),
      round_trip_s_(round_trip_s),
      full_(std::max(initial_, bytes_per_s * round_trip_s)),
      window_(initial_) {}

void CongestionWindow::rest(double idle_s) {
  const double halvings = std::floor(idle_s / restart_s_);
  if (halvings >= 1.0) window_ = std::max(initial_, window_ * std::exp2(-halvings));
}

double CongestionWindow::send(double bytes) {
  double wait_s = 0.0;
  double sent = 0.0;
  // What a window holds leaves in window/rate; its first acknowledgement comes a round trip after its first byte left.
  for (double window = window_; window < full_ && sent + window < bytes; window *= 2.0) {
    wait_s += round_trip_s_ - window / bytes_per_s_;
    sent += window;
  }
  window_ = std::min(full_, window_ + bytes);
  return wait_s;
}

}  // namespace saturn
