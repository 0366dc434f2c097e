#include <iostream>
#include <span>
#include <utility>

#include "sim/cli/emit_deployment.hpp"
#include "sim/cli/plan_options.hpp"
#include "sim/plan/system_facts.hpp"

namespace saturn {

std::vector<EmittedConfig> configs_to_emit(const Scenario& scenario, const PlanOptions& options) {
  if (!options.emit) return {};
  return configs_of(scenario, *options.emit, options.output.force);
}

std::vector<EmittedConfig> with_deployed(std::vector<EmittedConfig> configs, const Scenario& planned,
                                         const Results& summary, const PlanOptions& options, DeployedPlan plan) {
  if (!options.emit) return configs;
  plan.command = command_of(options);
  return with_deployment(std::move(configs), *options.emit, deployment_of(planned, summary, std::move(plan)),
                         facts_of(planned));
}

void emit(const std::vector<EmittedConfig>& configs, bool quiet) {
  write_configs(configs);
  if (quiet) return;
  for (const EmittedConfig& config : configs) std::cerr << "wrote " << config.path.string() << "\n";
}

}  // namespace saturn
