#pragma once

#include <cstdint>

#include "sim/engine/station_meter.hpp"

namespace saturn {

/// Counts who comes to a station and goes, and how long they are there.
class PresenceMeter {
 public:
  /// @param now  [s], not before any earlier date, as in the others
  void came(double now) {
    count_to(now);
    ++present_;
    ++meter_.arrivals;
  }
  /// @param since  date at which the one who leaves came [s]
  void left(double since, double now) {
    count_to(now);
    --present_;
    meter_.left(now - since);
  }

  /// What was counted up to `now` [s]. `age_sum` is left to whoever knows those present.
  StationMeter read(double now) const {
    StationMeter meter = meter_;
    meter.present = present_;
    meter.present_area += area_since(now);
    return meter;
  }

 private:
  double area_since(double now) const { return static_cast<double>(present_) * (now - updated_); }
  void count_to(double now) {
    meter_.present_area += area_since(now);
    updated_ = now;
  }

  StationMeter meter_;
  std::uint64_t present_ = 0;
  double updated_ = 0.0;
};

}  // namespace saturn
