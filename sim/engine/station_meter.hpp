#pragma once

#include <cstdint>
#include <string>

#include "models/run_checks.hpp"

namespace saturn {

/// What is counted at a station from date 0 on; the difference of two copies is what happened between them.
struct StationMeter {
  double present_area = 0.0;  ///< integral of the number present, waiting ones included [s]
  double busy_area = 0.0;     ///< integral of the units in use [s]
  double sojourn_sum = 0.0;   ///< time present of those that left, by their own stamps [s]
  double work_sum = 0.0;      ///< service of those that left [s]
  std::uint64_t arrivals = 0;
  std::uint64_t departures = 0;
  std::uint64_t idle_while_waiting = 0;  ///< times that a request waited although a unit was free

  /// Of those present now, filled when the meter is read.
  std::uint64_t present = 0;
  double age_sum = 0.0;      ///< time present so far [s]
  double work_so_far = 0.0;  ///< service received so far [s]

  StationMeter& operator+=(const StationMeter& other);

  void left(double sojourn_s) {
    ++departures;
    sojourn_sum += sojourn_s;
  }
};

/// What happened at the station between two readings.
StationCounts counts_between(const StationMeter& from, const StationMeter& to, std::string name);

}  // namespace saturn
