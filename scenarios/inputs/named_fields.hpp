#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/inputs/scenario_places.hpp"
#include "scenarios/read_scenario.hpp"

/// Fields that options name by JSON pointers: those that somebody may have meant, and those that "*" should not name.

namespace saturn {

/// "; did you mean /jobs/0/count or /servers/*/devices/count?": fields whose last key is that of the wrong pointer, or
/// near it; empty when there are none.
/// @param wrong    what was written, perhaps without a slash
/// @param allowed  which fields may be named
std::string suggest_pointers(const std::string& wrong, const ScenarioPlaces& places,
                             const std::function<bool(const std::string&)>& allowed);

/// True where the values of a place are words.
bool is_word(PlaceKind kind);

/// What numbers of a place are read as: absent for bare numbers and words.
std::optional<Dimension> dimension_of(const PlaceType& type);

/// What the reader says of settings; empty when they are good.
std::vector<Complaint> refused_settings(const ReadScenario& read, std::span<const Override> settings);

/// True where a key is absent and cannot stand whatever its value is, as the batching of an ensemble.
/// @param settings  a value for the place
bool can_never_stand(const NamedPlace& place, const ReadScenario& read, std::span<const Override> settings);

}  // namespace saturn
