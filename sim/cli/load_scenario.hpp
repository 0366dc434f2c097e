#pragma once

#include "reports/run/provenance.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/cli/options.hpp"

namespace saturn {

/// The overrides that --set asks for, and the one that --seed stands for.
/// @throws InputError  set.not_an_override
std::vector<Override> overrides_of(const ScenarioOptions& options);

/// Reads the asked scenario with its overrides; warnings go to stderr unless the user wants quiet.
/// @throws InputError
ReadScenario load_scenario(const ScenarioOptions& options, const OutputOptions& output);

/// Where a result of a scenario comes from, its fitted parameter files among it.
/// @param command  repeats the result
Provenance provenance_of(const ReadScenario& read, std::string command);

}  // namespace saturn
