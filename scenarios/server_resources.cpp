#include <algorithm>
#include <numeric>

#include "scenarios/routes.hpp"

namespace saturn {

namespace {

/// Whole devices that a server's devices, or their slices, come to.
double device_units(const Server& server) {
  const double shares =
      server.devices.mig.empty() ? 1.0 : std::accumulate(server.devices.mig.begin(), server.devices.mig.end(), 0.0);
  return static_cast<double>(server.nodes * server.devices.count) * shares;
}

double instance_units(const Server& server, const Model& model) {
  const std::size_t slices = std::max<std::size_t>(1, server.devices.mig.size());
  return static_cast<double>(server.nodes * server.devices.count * slices * model.instances);
}

/// An instance that only ever waits for its device or uses it is no resource of its own.
bool works_beside_device(const ServiceLaw& law) {
  const bool points_say = !law.points.empty() && law.points.front().device.has_value();
  return points_say || law.host.per_batch.value > 0.0 || law.host.per_item.value > 0.0;
}

}  // namespace

double largest_share(const Server& server) {
  return server.devices.mig.empty() ? 1.0 : *std::max_element(server.devices.mig.begin(), server.devices.mig.end());
}

std::vector<ServerResources> server_resources(const Scenario& scenario, std::vector<Resource>& resources) {
  std::vector<ServerResources> servers;
  for (const Server& server : scenario.servers) {
    servers.push_back({.devices = resources.size(), .host = std::nullopt, .instances = {}});
    resources.push_back({.name = server.name + "/" + server.devices.type,
                         .kind = scenario.devices.at(server.devices.type).kind,
                         .units = device_units(server)});
  }
  for (std::size_t s = 0; s < servers.size(); ++s) {
    const Server& server = scenario.servers[s];
    if (server.host) {
      servers[s].host = resources.size();
      resources.push_back({.name = server.name + " host",
                           .kind = ResourceKind::host,
                           .units = static_cast<double>(server.nodes) * server.host->workers});
    }
    for (const std::string& name : server.models) {
      const Model& model = scenario.models.at(name);
      if (!model.ensemble.empty() || !works_beside_device(model.service.at(server.devices.type))) continue;
      servers[s].instances[name] = resources.size();
      resources.push_back({.name = server.name + " instances of " + name,
                           .kind = ResourceKind::instances,
                           .units = instance_units(server, model)});
    }
  }
  return servers;
}

}  // namespace saturn
