#pragma once

#include <cstdint>
#include <string>

#include "reports/words/escaped_text.hpp"
#include "scenarios/scenario.hpp"
#include "sim/cli/options.hpp"

namespace saturn {

/// "saturn VERB SCENARIO --set ...": what determines the scenario, without the seed.
std::string scenario_command(const std::string& verb, const ScenarioOptions& options);

/// The same with the seed where one was given: repeats a result. Options that change no number are left out.
std::string reproducing_command(const std::string& verb, const ScenarioOptions& options);

/// What repeats runs that a budget ended, or that went beyond the scenario's largest number of replications; empty for
/// others.
std::string settings_of_replications(const RunControl& control, std::uint64_t replications, bool out_of_time);

}  // namespace saturn
