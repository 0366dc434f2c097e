#pragma once

#include "sim/engine/simulate.hpp"

namespace saturn {

/// What one run asks of the machine at the very least, before it has begun.
struct RunSize {
  double clients = 0.0;       ///< streams
  double requests = 0.0;      ///< expected over the run, warm-up included, and events that send none
  double least_time_s = 0.0;  ///< that a simulator several times as fast as this one would need
  double least_bytes = 0.0;   ///< that the clients and the nodes of servers alone occupy
};

/// Events are expected at the rate that the bounds allow in the mix of jobs that nothing hinders, or as they arrive.
RunSize run_size(const System& system, const RunLength& length);

}  // namespace saturn
