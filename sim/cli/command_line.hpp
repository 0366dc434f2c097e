#pragma once

#include <string>

#include "sim/cli/common_options.hpp"

namespace saturn {

/// A word as a shell reads it back: in single quotes where it holds anything but plain characters.
std::string shell_word(const std::string& word);

/// "saturn VERB SCENARIO --set ...": what determines the scenario, without the seed.
std::string scenario_command(const std::string& verb, const ScenarioOptions& options);

/// The same with the seed where one was given: repeats a result. Options that change no number are left out.
std::string reproducing_command(const std::string& verb, const ScenarioOptions& options);

}  // namespace saturn
