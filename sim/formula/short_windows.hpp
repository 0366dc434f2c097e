#pragma once

#include <cstdint>

#include "sim/formula/system.hpp"

namespace saturn {

/// Event times that a run's window holds where rates and means alone are asked of it, and no quantiles: as
/// least_cycles(), but where times are drawn neither a full queue nor a precision below 1 % makes it longer. See
/// docs/models/statistics.md.
std::uint64_t cycles_for_means(const System& system);

/// Runs of least_cycles() that tell the mean event time of closed pools as precisely as is asked [1]: below one where
/// queues or quantiles make windows longer than that needs.
double runs_for_precision(const System& system);

/// How such a run is simulated: `cycles_for_means`; and `brief` where nothing is drawn and all jobs together send a
/// million requests in them. Requests of fewer jobs sort themselves out over hundreds of event times, which longer
/// windows follow; of so many jobs the mean was the same to 0.2 %.
RunControl control_for_means(const System& system);

}  // namespace saturn
