#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/run/provenance.hpp"
#include "reports/words/escaped_text.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "sim/study/monitor.hpp"
#include "sim/study/request.hpp"

namespace saturn {

/// The overrides that --set asks for, and the one that --seed stands for.
/// @throws InputError  set.not_an_override
std::vector<Override> overrides_of(const ScenarioOptions& options);

/// Reads the asked scenario with its overrides, and says its warnings.
/// @throws InputError
ReadScenario load_scenario(const ScenarioOptions& options, Monitor& monitor);

/// "warning: ..." of each.
void say_warnings(const std::vector<Complaint>& warnings, Monitor& monitor);

/// Where a result of a scenario comes from, its fitted parameter files among it.
/// @param command  repeats the result
Provenance provenance_of(const ReadScenario& read, std::string command);

/// "saturn VERB SCENARIO --set ...": what determines the scenario, without the seed.
std::string scenario_command(const std::string& verb, const ScenarioOptions& options);

/// The same with the seed where one was given: repeats a result. Options that change no number are left out.
std::string reproducing_command(const std::string& verb, const ScenarioOptions& options);

/// What repeats runs that a budget ended, or that went beyond the scenario's largest number of replications; empty for
/// others.
std::string settings_of_replications(const RunControl& control, std::uint64_t replications, bool out_of_time);

}  // namespace saturn
