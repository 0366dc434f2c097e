#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/deployment.hpp"
#include "models/results.hpp"
#include "reports/system_facts.hpp"
#include "scenarios/scenario.hpp"
#include "sim/cli/emit_configs.hpp"

namespace saturn {

/// What of a plan its scenario does not say.
struct DeployedPlan {
  std::vector<std::uint64_t> spare_nodes{};  ///< (servers) beside those that work; empty: none
  std::string command{};                     ///< that made the plan
  std::optional<Falsification> falsification{};
};

/// The names of the files that go beside the models' folders: values of each server that is reached over the network,
/// and README.md. Known before anything is simulated.
std::vector<std::string> deployment_files(const Scenario& scenario);

/// A planned scenario as something to deploy.
/// @param planned  with the jobs and devices of the plan
/// @param summary  of its simulation
Deployment deployment_of(const Scenario& planned, const Results& summary, DeployedPlan plan);

/// The models' files with those of deployment_files().
/// @param configs  of the models, in `folder`
std::vector<EmittedConfig> with_deployment(std::vector<EmittedConfig> configs, const std::filesystem::path& folder,
                                           const Deployment& deployment, const SystemFacts& facts);

/// The scenario with as many clients and devices as a plan found.
/// @param devices  a number that DeviceFleet's steps reach
Scenario planned_scenario(const Scenario& scenario, double clients, std::uint64_t devices);

}  // namespace saturn
