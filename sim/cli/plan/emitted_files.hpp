#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/deployment/deployment_text.hpp"
#include "reports/words/facts_text.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// A config.pbtxt to be written, or a file that deploys it.
struct EmittedConfig {
  std::filesystem::path path;
  std::string text;
};

/// The config.pbtxt of every model of a scenario, in the layout of Triton's model repository:
/// FOLDER/<model>/config.pbtxt. A model that was read from such a file keeps what the scenario does not change. Makes
/// the folder but writes no file: what is wrong shows before anything is simulated, with deployment_files() that are
/// there already.
/// @param force  files that exist may be replaced
/// @throws InputError  emit.no_name, emit.not_a_folder, emit.not_writable, emit.exists, emit.not_a_folder_name,
///                     emit.name_taken, emit.other_ensemble, emit.not_readable, or what is wrong with the model's own
///                     file
std::vector<EmittedConfig> configs_of(const Scenario& scenario, const std::filesystem::path& folder, bool force);

/// Writes them, and makes the folders that lack.
/// @throws InputError  emit.not_writable
void write_configs(const std::vector<EmittedConfig>& configs);

/// The models' files with those of deployment_files().
/// @param configs  of the models, in `folder`
std::vector<EmittedConfig> with_deployment(std::vector<EmittedConfig> configs, const std::filesystem::path& folder,
                                           const Deployment& deployment, const SystemFacts& facts);

/// The scenario with as many clients and devices as a plan found.
/// @param devices  a number that DeviceFleet's steps reach
Scenario planned_scenario(const Scenario& scenario, double clients, std::uint64_t devices);

}  // namespace saturn
