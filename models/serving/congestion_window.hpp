#pragma once

#include "models/values/units.hpp"

/// TCP's slow start: what the first round trips of a transfer carry.

namespace saturn {

/// How the congestion window of a TCP connection begins, and when it begins anew.
struct SlowStart {
  Bytes initial_window{14'600.0};  ///< ten segments of 1,460 bytes; > 0
  /// The window halves for each such time without data, down to the initial one: the retransmission timeout, which is
  /// at least 0.2 s in Linux; > 0
  Seconds idle_restart{0.2};
};

/// One direction of a connection that loses nothing. The window is what the sender may have under way before the first
/// acknowledgement comes back; each acknowledged byte makes it a byte larger, until a whole round trip's worth of data
/// fits, and no transfer waits any more.
/// Sources: RFC 5681 (slow start, restart after idleness), RFC 6928 (initial window), RFC 2861 (halving, as Linux
/// does).
class CongestionWindow {
 public:
  /// @param bytes_per_s    what a transfer reaches once the window is large enough, > 0
  /// @param round_trip_s   >= 0
  CongestionWindow(const SlowStart& rules, double bytes_per_s, double round_trip_s);

  /// The window is as large as it can get: whatever was sent, no window is larger [byte].
  void fill() { window_ = full_; }
  /// Nothing was sent for so long [s]; < 0 counts as 0.
  void rest(double idle_s);
  /// A transfer sets out: makes the window larger by what it carries.
  /// @param bytes  >= 0
  /// @returns how much longer it takes than bytes / bytes_per_s, waiting for acknowledgements [s]
  double send(double bytes);

  bool is_full() const { return window_ >= full_; }  ///< no transfer waits any more

 private:
  double initial_;
  double restart_s_;
  double bytes_per_s_;
  double round_trip_s_;
  double full_;
  double window_;
};

}  // namespace saturn
