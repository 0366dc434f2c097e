#pragma once

#include <vector>

#include "models/arrival_law.hpp"

namespace saturn {

/// A stretch of a profile on which the rate is a straight line.
struct RateStretch {
  double begin_s = 0.0;   ///< within the period [s]
  double length_s = 0.0;  ///< > 0 [s]
  double rate = 0.0;      ///< at its beginning [1/s]
  double slope = 0.0;     ///< [1/s²]
  double events = 0.0;    ///< integral of the rate over it [1]

  /// Time x from the beginning at which `amount` events are expected to have come: rate·x + slope·x²/2 = amount,
  /// solved without cancellation. @param amount  in [0, events] @returns [s], at most length_s
  double time_of(double amount) const;
};

/// The stretches of one period, in order, without gaps: from date 0 to the period.
std::vector<RateStretch> stretches(const ProfileArrivals& profile);

/// Expected arrivals in one period [1].
double events_per_period(const ProfileArrivals& profile);

}  // namespace saturn
