#pragma once

namespace saturn {

/// Virtual time of flows that have the same rate: the data that each of them has received since some moment.
struct FlowClock {
  double value = 0.0;  ///< at `date` [byte]
  double rate = 0.0;   ///< [byte/s]
  double date = 0.0;   ///< [s]

  /// @param now  [s], not before `date`  @returns [byte]
  double at(double now) const { return value + rate * (now - date); }

  void advance(double now) {
    value = at(now);
    date = now;
  }

  /// The date at which the clock shows `end` [byte]; `date` if it has already passed it by a rounding error.
  double due(double end) const {
    const double wait = (end - value) / rate;
    return date + (wait > 0.0 ? wait : 0.0);
  }
};

}  // namespace saturn
