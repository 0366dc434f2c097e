#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/answer/answer.hpp"
#include "sim/plan/costs/purchase_terms.hpp"
#include "sim/formula/system_facts.hpp"

/// What is known of a scenario before anything is simulated, in words and tables.

namespace saturn {

/// The kind of a resource that can saturate; absent for others.
std::optional<ResourceKind> kind_of(const SystemFacts& facts, const std::string& resource);

// Each adds its parts to an answer: what people read, and tables at a place of the JSON below `root`.

/// Where an unhindered event's time goes, pool by pool: a line that adds up, then a table. At "ideal_event".
void add_breakdown(Answer& answer, const SystemFacts& facts, const std::vector<std::string>& root);

/// CPU alone against inference as a service, for pools that know their time on CPU alone. At "cpu_only".
void add_cpu_comparison(Answer& answer, const SystemFacts& facts, const std::vector<std::string>& root);

/// What costs were computed with, with the source of each price. At "prices".
void add_prices(Answer& answer, const std::vector<QuotedPrice>& prices, const std::vector<std::string>& root);

}  // namespace saturn
