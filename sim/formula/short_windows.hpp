#pragma once

#include <cstdint>

#include "sim/formula/system.hpp"

namespace saturn {

/// Event times that a run's window holds where rates and means alone are asked of it, and no quantiles: as
/// least_cycles(), but where times are drawn neither a full queue nor a precision below 1 % makes it longer. See
/// docs/models/statistics.md.
std::uint64_t cycles_for_means(const System& system);

}  // namespace saturn
