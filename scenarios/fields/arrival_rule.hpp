#pragma once

#include "models/laws/arrival_law.hpp"
#include "scenarios/fields/value_rules.hpp"

namespace saturn {

/// How events arrive: { "poisson": ... }, { "constant": ... }, { "gamma": ... }, { "trace": "file.csv" } or
/// { "profile": [[time, rate], ...], "period": ... }. A trace is only named here; attach_traces() reads it.
Rule<ArrivalLaw> arrival_rule();

}  // namespace saturn
