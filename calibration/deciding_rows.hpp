#pragma once

#include <string>
#include <vector>

#include "calibration/named_fit.hpp"

namespace saturn {

/// The rows that decide what a fit says, the weightiest first, at most four. Of a closed loop: those that give the
/// bottleneck's demand. Of a service law: those without which the time of the largest batch would move most, as long as
/// they move it by half of the most.
std::vector<std::string> deciding_rows(const NamedFit& named);

}  // namespace saturn
