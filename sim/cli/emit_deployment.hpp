#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "reports/deployment_text.hpp"
#include "reports/facts_text.hpp"
#include "scenarios/scenario.hpp"
#include "sim/cli/emit_configs.hpp"

namespace saturn {

/// The models' files with those of deployment_files().
/// @param configs  of the models, in `folder`
std::vector<EmittedConfig> with_deployment(std::vector<EmittedConfig> configs, const std::filesystem::path& folder,
                                           const Deployment& deployment, const SystemFacts& facts);

/// The scenario with as many clients and devices as a plan found.
/// @param devices  a number that DeviceFleet's steps reach
Scenario planned_scenario(const Scenario& scenario, double clients, std::uint64_t devices);

}  // namespace saturn
