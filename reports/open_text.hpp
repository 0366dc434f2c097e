#pragma once

#include <string>

#include "models/summary.hpp"
#include "reports/csv_rows.hpp"
#include "reports/text_table.hpp"

namespace saturn {

/// Pools that events reach from outside: rates, losses, backlog, verdict and its reason. Empty when there are none.
std::string open_text(const RunSummary& summary, TextStyle style);

/// Why event times are not shown; empty when they are.
std::string why_no_times(const JobsSummary& jobs);

/// The same as tidy rows, of one pool.
void add_open(CsvRows& rows, const std::string& section, const JobsSummary& jobs);

}  // namespace saturn
