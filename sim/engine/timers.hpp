#pragma once

#include <coroutine>
#include <cstddef>

#include "sim/engine/calendar.hpp"
#include "sim/engine/dated_heap.hpp"
#include "sim/engine/prefetch.hpp"

namespace saturn {

/// Coroutines that sleep until a date. Cost: O(log sleepers) each.
class Timers final : private Source {
 public:
  explicit Timers(Calendar& calendar) : calendar_(calendar), source_(calendar.add(*this)) {}

  void reserve(std::size_t sleepers) { heap_.reserve(sleepers); }

  /// @param date  [s], not before the calendar's present
  void wake(std::coroutine_handle<> sleeper, double date) {
    const bool earliest = heap_.empty() || date < heap_.top().date;
    heap_.push(date, sleeper);
    // While an event is being handled, fire() enters the new earliest date once, at its end.
    if (earliest && !firing_) calendar_.reschedule(source_, date);
  }

  bool empty() const { return heap_.empty(); }

  /// co_await timers.until(date): resumes at that date.
  auto until(double date) {
    struct Awaiter {
      Timers& timers;
      double date;
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<> sleeper) const { timers.wake(sleeper, date); }
      void await_resume() const noexcept {}
    };
    return Awaiter{*this, date};
  }

 private:
  void fire(double) override {
    const std::coroutine_handle<> sleeper = heap_.top().value;
    // With many clients the frame has left the caches; it comes back while the heap is put in order.
    prefetch(sleeper.address(), 9);
    heap_.pop();
    firing_ = true;
    sleeper.resume();
    firing_ = false;
    double next = Calendar::never;
    if (!heap_.empty()) next = heap_.top().date;
    calendar_.reschedule(source_, next);
  }

  Calendar& calendar_;
  std::size_t source_;
  DatedHeap<std::coroutine_handle<>> heap_;
  bool firing_ = false;
};

}  // namespace saturn
