#pragma once

#include <string>

#include "reports/answer/answer.hpp"

/// Pools that events reach from outside.

namespace saturn {

/// Adds their rates, losses, backlog, verdict and its reason, for people: programs have them as numbers of the pools.
void add_arrivals(Answer& answer, const Results& results);

/// Why event times are not shown; empty when they are.
std::string why_no_times(const JobsResults& jobs);

}  // namespace saturn
