#pragma once

#include <simgrid/kernel/resource/Model.hpp>

#include <exception>

#include "sim/engine/calendar.hpp"

namespace saturn {

/// Our calendar as one more resource model of SimGrid: SimGrid's engine owns the clock, asks every model for its next
/// date and moves them all there.
class SimGridClock final : public simgrid::kernel::resource::Model {
 public:
  /// @param drain  handle all events of the calendar in one go. Right as long as no other model has anything pending:
  ///               then the engine would only hand each date back to us.
  SimGridClock(Calendar& calendar, bool drain) : Model("saturn"), calendar_(calendar), drain_(drain) {
    set_update_algorithm(UpdateAlgo::FULL);
  }

  double next_occurring_event(double now) override;
  void update_actions_state(double now, double delta) override;

  /// An exception must not unwind through SimGrid's C++ and C frames: it waits here until the engine has returned.
  void rethrow_if_failed() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  Calendar& calendar_;
  bool drain_;
  double asked_ = 0.0;         // date that we gave the engine last
  double asked_delta_ = -1.0;  // the same as a step from its clock
  std::exception_ptr failure_;
};

}  // namespace saturn
