#include "sim/cli/emit_deployment.hpp"

#include <algorithm>
#include <set>

#include "reports/deployment_text.hpp"
#include "scenarios/demands.hpp"
#include "sim/plan/device_fleet.hpp"

namespace saturn {

namespace {

constexpr const char* readme = "README.md";

DeployedBalancing balancing_of(Balancing balancing) {
  switch (balancing) {
    case Balancing::per_request:
      break;
    case Balancing::per_connection:
      return DeployedBalancing::per_connection;
    case Balancing::central_queue:
      return DeployedBalancing::central_queue;
  }
  return DeployedBalancing::per_request;
}

/// Names may differ in what Kubernetes does not take; the later one then gets a number.
std::string unique_release(const std::string& server, std::set<std::string>& taken) {
  const std::string wanted = release_name(server);
  std::string name = wanted;
  for (std::size_t number = 2; !taken.insert(name).second; ++number) name = wanted + "-" + std::to_string(number);
  return name;
}

/// What is reached over the network, without predictions.
Deployment servers_of(const Scenario& scenario) {
  Deployment deployment;
  std::set<std::string> taken;
  for (const Server& server : scenario.servers) {
    if (server.attached) {
      deployment.attached.push_back(server.name);
      continue;
    }
    const auto type = scenario.devices.find(server.devices.type);
    deployment.servers.push_back({.name = server.name,
                                  .site = server.site,
                                  .release = unique_release(server.name, taken),
                                  .replicas = server.nodes,
                                  .devices = server.devices.count,
                                  .device_type = server.devices.type,
                                  .kind = type == scenario.devices.end() ? ResourceKind::gpu : type->second.kind,
                                  .sliced = !server.devices.mig.empty(),
                                  .dispatch = server.dispatch,
                                  .balancing = balancing_of(server.balancing),
                                  .models = {}});
  }
  return deployment;
}

/// Nodes of all servers share the requests of a model evenly, which is how the plan counts them.
double share_of(const Scenario& scenario, const Server& server, const std::string& model) {
  double nodes = 0.0;
  for (const Server& one : scenario.servers)
    if (std::find(one.models.begin(), one.models.end(), model) != one.models.end())
      nodes += static_cast<double>(one.nodes);
  return static_cast<double>(server.nodes) / nodes;
}

std::vector<DeployedModel> models_of(const Scenario& scenario, const Server& server, const Results& summary) {
  std::vector<DeployedModel> models;
  for (const std::string& name : server.models) {
    const auto found = std::find_if(summary.models.begin(), summary.models.end(),
                                    [&](const ModelResults& one) { return one.name == name; });
    if (found == summary.models.end()) continue;
    models.push_back({.name = name,
                      .requests_per_s = (*found)["requests_per_s"].mean * share_of(scenario, server, name),
                      .queue_s = (*found)["queue_s"].mean,
                      .compute_s = (*found)["compute_s"].mean,
                      .ensemble = !scenario.models.at(name).ensemble.empty()});
  }
  return models;
}

}  // namespace

std::vector<std::string> deployment_files(const Scenario& scenario) {
  const Deployment deployment = servers_of(scenario);
  std::vector<std::string> files;
  for (const DeployedServer& server : deployment.servers) files.push_back(values_file_name(deployment, server));
  files.emplace_back(readme);
  return files;
}

Deployment deployment_of(const Scenario& planned, const Results& summary, DeployedPlan plan) {
  Deployment deployment = servers_of(planned);
  deployment.title = planned.title;
  for (const JobPool& pool : planned.jobs) deployment.jobs += pool.count;
  deployment.event_time_s = summary.all_jobs["event_time_s"];
  deployment.events_per_s = summary.all_jobs["events_per_s"];
  deployment.command = std::move(plan.command);
  deployment.falsification = std::move(plan.falsification);
  std::size_t deployed = 0;
  for (std::size_t i = 0; i < planned.servers.size(); ++i) {
    if (planned.servers[i].attached) continue;
    DeployedServer& server = deployment.servers[deployed++];
    server.models = models_of(planned, planned.servers[i], summary);
    if (i < plan.spare_nodes.size()) server.reserve = plan.spare_nodes[i];
  }
  return deployment;
}

std::vector<EmittedConfig> with_deployment(std::vector<EmittedConfig> configs, const std::filesystem::path& folder,
                                           const Deployment& deployment, const SystemFacts& facts) {
  std::vector<std::string> names;
  for (const EmittedConfig& config : configs) names.push_back(config.path.lexically_relative(folder).generic_string());
  for (const DeployedServer& server : deployment.servers) {
    names.push_back(values_file_name(deployment, server));
    configs.push_back({.path = folder / names.back(), .text = supersonic_values(deployment, server)});
  }
  configs.push_back({.path = folder / readme, .text = deployment_readme(deployment, facts, names)});
  return configs;
}

Scenario planned_scenario(const Scenario& scenario, double clients, std::uint64_t devices) {
  const DeviceFleet fleet(with_clients(scenario, clients));
  const std::uint64_t in_step = device_count(fleet.with_steps(1));
  return fleet.with_steps(std::max<std::uint64_t>(1, in_step > 0 ? devices / in_step : 1));
}

}  // namespace saturn
