#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "models/laws/arrival_law.hpp"
#include "models/values/containers.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/recording/meters.hpp"

namespace saturn {

/// The events that reach a pool from outside: they wait in a buffer for a stream, first come first served, and
/// streams wait here for events. What finds the buffer full is lost.
class Arrivals final : private Source {
 public:
  /// @param buffer  how many may wait; absent: no limit
  /// @param meter   of the pool; it outlives this
  Arrivals(Calendar& calendar, ArrivalStream dates, std::optional<std::uint64_t> buffer, PoolMeter& meter);

  /// co_await arrivals.next(): the date at which the stream's next event arrived [s]; resumes when the stream has one.
  auto next() {
    struct Awaiter {
      Arrivals& arrivals;
      double arrived = 0.0;
      bool await_ready() { return arrivals.take_waiting(arrived); }
      void await_suspend(std::coroutine_handle<> stream) { arrivals.idle_.push({stream, &arrived}); }
      double await_resume() const noexcept { return arrived; }
    };
    return Awaiter{*this};
  }

  /// A stream has ended an event, which the pool's meter still counts as under way.
  void ended() { meter_.arrivals.count_to(calendar_.now(), meter_.open); }

 private:
  struct IdleStream {
    std::coroutine_handle<> stream;
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
