#pragma once

#include <span>
#include <string>

#include "scenarios/document/document.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

/// Puts the values of `--set` options into a document, in their order; complaints then blame the option by name.
/// A key that an object lacks is added (whether it may have it is for the decoder to say), "-" adds to a list, an
/// optional object of the scenario is made when it is missing, and null takes a key away.
void apply_overrides(Document& document, std::span<const Override> overrides, ComplaintList& complaints);

/// A scenario's text with the name that complaints give it.
struct ScenarioText {
  std::string name;
  std::string text;
};

/// Most bytes of a scenario that are read: 16 MiB.
inline constexpr std::size_t largest_scenario = std::size_t{16} << 20U;

/// Loads a scenario: a file, "-" for standard input, or the bare name of a shipped scenario. A file that is too large
/// is refused before it is read.
/// @throws InputError  scenario.missing_file, scenario.not_a_file, scenario.unreadable_file, scenario.too_large
ScenarioText load_scenario(const std::string& path);

/// Refuses texts that cannot be JSON, and drops a byte-order mark.
/// @throws InputError  scenario.too_large, scenario.empty_file, scenario.binary_file, scenario.not_utf8
ScenarioText checked_text(ScenarioText scenario);

}  // namespace saturn
