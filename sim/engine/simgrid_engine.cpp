#include "sim/engine/simgrid_engine.hpp"

#include <simgrid/s4u.hpp>

#include <memory>
#include <string>
#include <vector>

#include "sim/engine/simgrid_clock.hpp"

namespace saturn {

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
