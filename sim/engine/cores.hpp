#pragma once

#include <coroutine>
#include <cstdint>

#include "sim/engine/station_meter.hpp"
#include "sim/engine/timers.hpp"

namespace saturn {

/// What is counted of the cores of a pool's jobs from date 0 on, of those that wait for one and of those that have one.
struct CoresMeter {
  StationMeter counted;        ///< what is over
  std::uint64_t present = 0;   ///< loops that hold a core or wait for one
  std::uint64_t holding = 0;   ///< of them, with a core
  double present_since = 0.0;  ///< sum of the dates at which they asked [s]
  double holding_since = 0.0;  ///< sum of the dates at which those with a core got it [s]
  double last_change = 0.0;    ///< date [s]

  StationMeter read(double now) const;
};

class CoreHold;

/// The cores of one job, which its event loops take in the order in which they ask. A loop that has to wait wakes by
/// the timers, at the date at which it got its core.
class Cores {
 public:
  Cores(std::uint32_t cores, Timers& timers, CoresMeter& meter) : free_(cores), timers_(&timers), meter_(&meter) {}

 private:
  friend class CoreHold;
  void count(double now);
  /// @returns false when the loop has to wait for its turn
  bool ask(CoreHold& loop, double now);
  void grant(CoreHold& loop, double now);
  void give_back(CoreHold& loop, double now);

  std::uint32_t free_;
  Timers* timers_;
  CoresMeter* meter_;
  CoreHold* first_ = nullptr;  // that waits
  CoreHold* last_ = nullptr;
};

/// A loop's claim to a core of its job. A loop without Cores has a core of its own all the time.
class CoreHold {
 public:
  CoreHold(Cores* cores, const Calendar& calendar) : cores_(cores), calendar_(calendar) {}

  /// co_await take(): resumes when the loop holds a core; goes on at once when it does already.
  auto take() {
    struct Awaiter {
      CoreHold& hold;
      bool await_ready() const { return hold.cores_ == nullptr || hold.held_ || hold.granted_at_once(); }
      void await_suspend(std::coroutine_handle<> loop) const noexcept { hold.loop_ = loop; }
      void await_resume() const noexcept {}
    };
    return Awaiter{*this};
  }

  /// Leaves the core to the loop that has waited longest; nothing happens without one.
  void give_back() {
    if (held_) cores_->give_back(*this, calendar_.now());
  }

 private:
  friend class Cores;
  bool granted_at_once() { return cores_->ask(*this, calendar_.now()); }

  Cores* cores_;
  const Calendar& calendar_;
  CoreHold* next_ = nullptr;  // that waits
  std::coroutine_handle<> loop_;
  double asked_ = 0.0;
  double granted_ = 0.0;
  bool held_ = false;
};

}  // namespace saturn
