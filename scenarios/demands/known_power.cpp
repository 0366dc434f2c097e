#include "scenarios/demands/known_power.hpp"

namespace saturn {

KnownPower known_power(const Scenario& scenario, std::span<const double> nodes) {
  KnownPower power{.devices_w = 0.0};
  double devices = 0.0;
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) {
    const Server& server = scenario.servers[s];
    const DeviceType& type = scenario.devices.at(server.devices.type);
    const double there =
        (nodes.empty() ? static_cast<double>(server.nodes) : nodes[s]) * static_cast<double>(server.devices.count);
    devices += there;
    if (!type.power) power.devices_w.reset();
    if (power.devices_w) *power.devices_w += there * type.power->value;
  }
  double cores = 0.0;
  for (const JobPool& pool : scenario.jobs) cores += static_cast<double>(pool.count * pool.threads);
  if (scenario.costs.core_power) power.cores_w = cores * scenario.costs.core_power->value;
  const bool nothing_there = devices == 0.0 && !power.cores_w;
  if (power.devices_w && !nothing_there) power.all_w = *power.devices_w + power.cores_w.value_or(0.0);
  return power;
}

}  // namespace saturn
