#pragma once

#include <string>

#include "models/results/results.hpp"
#include "reports/tables/text_table.hpp"

namespace saturn {

/// Pools that events reach from outside: rates, losses, backlog, verdict and its reason. Empty when there are none.
std::string open_text(const Results& summary, TextStyle style);

/// Why event times are not shown; empty when they are.
std::string why_no_times(const JobsResults& jobs);

}  // namespace saturn
