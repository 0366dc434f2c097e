#pragma once

#include <vector>

#include "sim/engine/call.hpp"
#include "sim/engine/station_meter.hpp"

namespace saturn {

/// What a call carries over a leg [byte]. @param bytes  per item, by model's number [byte]
inline double data_of(const Call& call, const std::vector<double>& bytes) {
  // An answer that says no carries no data.
  return call.rejected ? 0.0 : bytes[call.model] * call.items;
}

/// One direction of a route: a latency that all calls share, then a transfer that shares the links with others.
/// Every call goes to the receiver at the far end once its last byte is there.
class Leg {
 public:
  Leg() = default;
  Leg(const Leg&) = delete;
  Leg& operator=(const Leg&) = delete;
  virtual ~Leg() = default;

  /// Takes a call over at the near end. @param now  the calendar's present [s]
  virtual void begin(Call& call, double now) = 0;

  /// Calls between begin() and their receiver. Cost: O(calls present)
  virtual StationMeter meter(double now) const = 0;
  virtual double carried_bytes(double now) const = 0;   ///< by transfers so far [byte]
  virtual double transfers_area(double now) const = 0;  ///< integral of the number of transfers [s]
};

}  // namespace saturn
