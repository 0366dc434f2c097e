#pragma once

#include <optional>
#include <vector>

#include "models/results/results.hpp"

namespace saturn {

/// When, after an outage, about as few requests are at the servers as before it, no call is late and none goes without
/// its servers [s]; absent: not before the run ends.
/// @param moments  of a run, of equal lengths
/// @param from_s   when the outage began [s]
/// @param end_s    when it ended [s]
std::optional<double> recovered_at(const std::vector<MomentResults>& moments, double from_s, double end_s);

}  // namespace saturn
