#pragma once

#include <cstddef>

#include "sim/engine/calendar.hpp"
#include "sim/engine/dated_buckets.hpp"

namespace saturn {

class Client;

/// Clients that sleep until a date. Cost: as of DatedBuckets.
class Timers final : private Source {
 public:
  explicit Timers(Calendar& calendar) : calendar_(calendar), source_(calendar.add(*this)) {}

  /// The client goes on at `date` [s], not before the calendar's present.
  void wake(Client& sleeper, double date) {
    const bool earliest = sleepers_.empty() || date < sleepers_.next_date();
    sleepers_.push(date, &sleeper);
    // While an event is being handled, fire() enters the new earliest date once, at its end.
    if (earliest && !firing_) calendar_.reschedule(source_, date);
  }

  bool empty() const { return sleepers_.empty(); }

 private:
  void fire(double now) override;

  Calendar& calendar_;
  std::size_t source_;
  DatedBuckets<Client*> sleepers_;
  bool firing_ = false;
};

}  // namespace saturn
