#pragma once

#include <string>

#include "reports/words/escaped_text.hpp"
#include "sim/cli/options.hpp"

namespace saturn {

/// "saturn VERB SCENARIO --set ...": what determines the scenario, without the seed.
std::string scenario_command(const std::string& verb, const ScenarioOptions& options);

/// The same with the seed where one was given: repeats a result. Options that change no number are left out.
std::string reproducing_command(const std::string& verb, const ScenarioOptions& options);

}  // namespace saturn
