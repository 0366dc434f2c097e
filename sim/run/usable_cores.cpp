#include "sim/run/usable_cores.hpp"

#include <algorithm>
#include <sched.h>

namespace saturn {

unsigned usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return std::max(1u, static_cast<unsigned>(CPU_COUNT(&cores)));
}

}  // namespace saturn
