#pragma once

#include <string>

#include "models/results/measure.hpp"

namespace saturn {

/// docs/measures.md, from the table of measures: what every number of a run and of a plan is, and where it stands.
std::string measure_reference();

/// How a requirement names it: "latency_p99[(MODEL)]", with what it can be asked of in brackets; empty where it cannot
/// be required.
std::string required_name(const Measure& measure);

}  // namespace saturn
