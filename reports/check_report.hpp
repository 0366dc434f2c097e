#pragma once

#include <string>

#include "reports/provenance.hpp"
#include "reports/text_table.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/plan/system_facts.hpp"

/// A scenario that was read without complaint, and what follows from it without simulation.
namespace saturn {

std::string check_table(const ReadScenario& read, const SystemFacts& facts, TextStyle style);
std::string check_json(const ReadScenario& read, const SystemFacts& facts, const Provenance& provenance);
std::string check_csv(const SystemFacts& facts);

}  // namespace saturn
