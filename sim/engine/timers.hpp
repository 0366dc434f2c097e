#pragma once

#include <cstddef>

#include "sim/engine/calendar.hpp"

namespace saturn {

class Client;

/// Clients that sleep until a date. Cost: O(log sleepers) each.
class Timers final : private Source {
 public:
  explicit Timers(Calendar& calendar) : calendar_(calendar), source_(calendar.add(*this)) {}

  void reserve(std::size_t sleepers) { heap_.reserve(sleepers); }

  /// The client goes on at `date` [s], not before the calendar's present.
  void wake(Client& sleeper, double date) {
    const bool earliest = heap_.empty() || date < heap_.top().date;
    heap_.push(date, &sleeper);
    // While an event is being handled, fire() enters the new earliest date once, at its end.
    if (earliest && !firing_) calendar_.reschedule(source_, date);
  }

  bool empty() const { return heap_.empty(); }

 private:
  void fire(double now) override;

  Calendar& calendar_;
  std::size_t source_;
  DatedHeap<Client*> heap_;
  bool firing_ = false;
};

}  // namespace saturn
