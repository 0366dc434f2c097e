#pragma once

#include <string>

#include "models/distribution.hpp"
#include "scenarios/value_rules.hpp"

namespace saturn {

/// A duration from 0 s to 1e9 s, or a distribution of durations.
/// @param usual_unit  of the examples in complaints
Rule<TimeDistribution> time_rule(const std::string& usual_unit);

}  // namespace saturn
