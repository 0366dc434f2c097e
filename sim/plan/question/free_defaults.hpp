#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenarios/inputs/scenario_places.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/plan/question/free_pointers.hpp"

namespace saturn {

/// What the other free variables leave: the scenario with each of them at its first value, and at its last.
struct FreeReach {
  Scenario first{};
  Scenario last{};
};

/// True where the default values depend on what else is free (numbers of jobs and sizes of requests).
bool needs_reach(const FreePointer& pointer);

/// The values of a variable that is freed without a range, as docs/models/searching.md lists them; none where nothing
/// sensible is known.
std::vector<std::string> default_values(const FreePointer& pointer, const ReadScenario& read, const FreeReach& reach);

/// An example of a range for a field of this type: "1:8", "1ms:16ms:x2", "one,another".
std::string example_range(const PlaceType& type);

}  // namespace saturn
