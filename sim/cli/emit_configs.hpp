#pragma once

#include <filesystem>
#include <string>
#include <vector>

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

}  // namespace saturn
