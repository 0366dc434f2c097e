#pragma once

#include <string>

namespace saturn {

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
