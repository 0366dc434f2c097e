#pragma once

#include "models/results.hpp"
#include "reports/facts_text.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// What a simulated point of a sweep answers with: the numbers that the table of measures says, and what saturates
/// first and next. Times that only grow are left out.
PointAnswer point_answer(const Results& results, const SystemFacts& facts);

}  // namespace saturn
