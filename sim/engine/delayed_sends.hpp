#pragma once

#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/dated_heap.hpp"

namespace saturn {

/// Requests of asynchronous stages that are being serialised while their event goes on. Cost: O(log requests) each.
class DelayedSends final : private Source {
 public:
  explicit DelayedSends(Calendar& calendar) : calendar_(calendar), source_(calendar.add(*this)) {}

  /// The call's window is told at `date` [s], not before the calendar's present.
  void send(Call& call, double date) {
    calls_.push(date, &call);
    calendar_.reschedule(source_, calls_.top().date);
  }
  bool empty() const { return calls_.empty(); }

 private:
  void fire(double now) override;

  Calendar& calendar_;
  std::size_t source_;
  DatedHeap<Call*> calls_;
};

}  // namespace saturn
