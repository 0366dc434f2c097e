#include <algorithm>
#include <set>

#include "reports/deployment_text.hpp"

namespace saturn {

namespace {

/// Names may differ in what Kubernetes does not take; the later one then gets a number.
std::string unique_release(const std::string& server, std::set<std::string>& taken) {
  const std::string wanted = release_name(server);
  std::string name = wanted;
  for (std::size_t number = 2; !taken.insert(name).second; ++number) name = wanted + "-" + std::to_string(number);
  return name;
}

/// What is reached over the network, without predictions.
Deployment servers_of(const Scenario& scenario) {
  Deployment deployment{.planned = scenario};
  std::set<std::string> taken;
  for (const Server& server : scenario.servers) {
    if (server.attached) continue;
    const auto type = scenario.devices.find(server.devices.type);
    deployment.servers.push_back({.server = server,
                                  .release = unique_release(server.name, taken),
                                  .kind = type == scenario.devices.end() ? ResourceKind::gpu : type->second.kind,
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
  files.emplace_back(deployment_readme_name);
  return files;
}

Deployment deployment_of(const Scenario& planned, const Results& summary, DeployedPlan plan) {
  Deployment deployment = servers_of(planned);
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

}  // namespace saturn
