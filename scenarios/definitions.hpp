#pragma once

#include <vector>

#include "scenarios/field_table.hpp"

namespace saturn {

/// Every definition that a scenario can contain, the scenario's first, each once, in the order of first use.
std::vector<const Definition*> all_definitions();

}  // namespace saturn
