#pragma once

#include <string>

#include "reports/tables/csv_rows.hpp"
#include "reports/tables/text_table.hpp"
#include "sim/plan/system_facts.hpp"

/// What is known of a scenario before anything is simulated, in words and rows.

namespace saturn {

/// The kind of a resource that can saturate; absent for others.
std::optional<ResourceKind> kind_of(const SystemFacts& facts, const std::string& resource);

/// Where an unhindered event's time goes, pool by pool: a line that adds up, then a table.
std::string breakdown_text(const SystemFacts& facts, TextStyle style);

/// CPU alone against inference as a service; empty when no pool knows its time on CPU alone.
std::string cpu_comparison_text(const SystemFacts& facts, TextStyle style);

/// The same facts as tidy rows.
void add_facts(CsvRows& rows, const SystemFacts& facts);

}  // namespace saturn
