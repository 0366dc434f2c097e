#include "sim/engine/simgrid_engine.hpp"

#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <vector>

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

double SimGridClock::next_occurring_event(double now) {
  if (failure_ || calendar_.stopped() || calendar_.next_date() == Calendar::never) return -1.0;
  asked_ = calendar_.next_date();
  asked_delta_ = std::max(0.0, asked_ - now);
  return asked_delta_;
}

void SimGridClock::update_actions_state(double now, double delta) {
  if (failure_ || asked_delta_ < 0.0) return;
  try {
    if (drain_) {
      calendar_.run_until(Calendar::never);
    } else {
      // The engine adds steps to its clock, so `now` may miss our date by a rounding error; the step tells whose turn
      // it is.
      calendar_.run_until(delta >= asked_delta_ ? asked_ : now);
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
}

simgrid::s4u::Engine& simgrid_engine() {
  // SimGrid takes its settings as a command line, once a process.
  static std::vector<std::string> arguments = {
      "saturn",
      "--log=root.thresh:critical",
      "--cfg=network/model:CM02",
      "--cfg=network/latency-factor:1",
      "--cfg=network/bandwidth-factor:1",
      "--cfg=network/weight-S:0",
      "--cfg=network/TCP-gamma:0",
      // By default each transfer also takes a twentieth of its rate on the way back.
      "--cfg=network/crosstraffic:0",
      // By default rates are right to 1e-5 of a link's bandwidth only.
      "--cfg=maxmin/precision:1e-12",
#ifdef SATURN_SANITIZED
      // Sanitizers do not follow SimGrid's hand-written context switches.
      "--cfg=contexts/factory:thread",
#endif
  };
  static std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  static int argc = static_cast<int>(arguments.size());
  static simgrid::s4u::Engine engine(&argc, argv.data());
  return engine;
}

void run_calendar(Calendar& calendar, bool drain) {
  const auto clock = std::make_shared<SimGridClock>(calendar, drain);
  simgrid_engine().add_model(clock);
  simgrid_engine().run();
  clock->rethrow_if_failed();
}

}  // namespace saturn
