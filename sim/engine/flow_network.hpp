#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "models/fair_sharing.hpp"
#include "models/tournament.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/flow_clock.hpp"

namespace saturn {

class FairLeg;

/// The classes that one link holds back. Their flows have the same rate, so one clock serves them all, and only the
/// earliest end among them stands in the calendar: when the link's level changes, nothing is done per class or flow.
class FlowGroup final : private Source {
 public:
  explicit FlowGroup(Calendar& calendar) : calendar_(calendar), source_(calendar.add(*this)) {}

  const FlowClock& clock() const { return clock_; }
  void set_rate(double rate, double now);
  /// A class of the group has its first transfer. @returns what the clock shows now [byte]
  double begin(double now);

  /// @returns the leg's place in the group
  std::size_t add(FairLeg& leg);
  void remove(std::size_t place);
  /// The leg's next transfer ends when the group's clock shows `end` [byte]; Tournament::none for no transfer.
  void set_end(std::size_t place, double end);

  /// Enters the earliest end into the calendar, if it has changed.
  void reschedule();

 private:
  void fire(double now) override;

  Calendar& calendar_;
  std::size_t source_;
  FlowClock clock_;
  std::vector<FairLeg*> legs_;  // by place
  std::vector<std::size_t> free_places_;
  Tournament ends_;
  bool changed_ = false;  // since the calendar was told
};

/// The legs of a run and the fair sharing between them.
class FlowNetwork {
 public:
  FairSharing& sharing() { return sharing_; }
  /// Enters the leg of the flow class that was added last.
  void add(FairLeg& leg) { legs_.push_back(&leg); }

  void started(std::size_t flow_class, Calendar& calendar, double now) {
    if (sharing_.start(flow_class)) apply(calendar, now);
  }
  void finished(std::size_t flow_class, Calendar& calendar, double now) {
    if (sharing_.finish(flow_class)) apply(calendar, now);
  }

 private:
  void apply(Calendar& calendar, double now);
  FlowGroup& group(std::size_t link, Calendar& calendar);

  FairSharing sharing_;
  std::vector<FairLeg*> legs_;
  std::vector<std::unique_ptr<FlowGroup>> groups_;  // by link; null until the link first holds somebody back
};

}  // namespace saturn
