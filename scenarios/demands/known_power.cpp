#include "scenarios/demands/known_power.hpp"

namespace saturn {

KnownPower known_power(const Scenario& scenario, std::span<const double> nodes) {
  KnownPower power{.devices_w = 0.0};
  bool any_device = false;
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) {
    const Server& server = scenario.servers[s];
    const DeviceType& type = scenario.devices.at(server.devices.type);
    const double there =
        (nodes.empty() ? static_cast<double>(server.nodes) : nodes[s]) * static_cast<double>(server.devices.count);
    // A scaling server may have had none for a while; it is there all the same.
    any_device = any_device || there > 0.0 || server.nodes * server.devices.count > 0;
    if (!type.power) power.devices_w.reset();
    if (power.devices_w) *power.devices_w += there * type.power->value;
  }
  double cores = 0.0;
  for (const JobPool& pool : scenario.jobs) cores += static_cast<double>(pool.count * pool.threads);
  if (scenario.costs.core_power) power.cores_w = cores * scenario.costs.core_power->value;
  const bool nothing_there = !any_device && !power.cores_w;
  if (power.devices_w && !nothing_there) power.all_w = *power.devices_w + power.cores_w.value_or(0.0);
  return power;
}

}  // namespace saturn
