#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "models/laws/arrival_law.hpp"
#include "models/values/containers.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/recording/meters.hpp"

namespace saturn {

class Client;

/// The events that reach a pool from outside: they wait in a buffer for a stream, first come first served, and
/// streams wait here for events. What finds the buffer full is lost.
class Arrivals final : private Source {
 public:
  /// @param buffer  how many may wait; absent: no limit
  /// @param meter   of the pool; it outlives this
  Arrivals(Calendar& calendar, ArrivalStream dates, std::optional<std::uint64_t> buffer, PoolMeter& meter);

  /// The stream's next event, if one waits.
  /// @param arrived  is set to the date at which it arrived [s]; when none waits, the stream is idle from now on, and
  ///                 goes on with the next one at its arrival
  /// @returns whether one waited
  bool take(Client& stream, double& arrived) {
    if (take_waiting(arrived)) return true;
    idle_.push({&stream, &arrived});
    return false;
  }

  /// A stream has ended an event, which the pool's meter still counts as under way.
  void ended() { meter_.arrivals.count_to(calendar_.now(), meter_.open); }

 private:
  struct IdleStream {
    Client* stream = nullptr;
    double* arrived = nullptr;
  };

  void fire(double now) override;
  bool take_waiting(double& arrived);

  Calendar& calendar_;
  ArrivalStream dates_;
  std::optional<std::uint64_t> buffer_;
  PoolMeter& meter_;
  std::size_t source_;
  Ring<double> waiting_;  // dates of arrival
  Ring<IdleStream> idle_;
};

}  // namespace saturn
