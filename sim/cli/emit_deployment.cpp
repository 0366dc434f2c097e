#include "sim/cli/emit_deployment.hpp"

#include <algorithm>

#include "scenarios/demands.hpp"
#include "sim/plan/device_fleet.hpp"

namespace saturn {

std::vector<EmittedConfig> with_deployment(std::vector<EmittedConfig> configs, const std::filesystem::path& folder,
                                           const Deployment& deployment, const SystemFacts& facts) {
  std::vector<std::string> names;
  for (const EmittedConfig& config : configs) names.push_back(config.path.lexically_relative(folder).generic_string());
  for (const DeployedServer& server : deployment.servers) {
    names.push_back(values_file_name(deployment, server));
    configs.push_back({.path = folder / names.back(), .text = supersonic_values(deployment, server)});
  }
  configs.push_back({.path = folder / deployment_readme_name, .text = deployment_readme(deployment, facts, names)});
  return configs;
}

Scenario planned_scenario(const Scenario& scenario, double clients, std::uint64_t devices) {
  const DeviceFleet fleet(with_clients(scenario, clients));
  const std::uint64_t in_step = device_count(fleet.with_steps(1));
  return fleet.with_steps(std::max<std::uint64_t>(1, in_step > 0 ? devices / in_step : 1));
}

}  // namespace saturn
