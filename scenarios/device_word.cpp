#include "scenarios/device_word.hpp"

#include <set>

namespace saturn {

std::string device_word_of(const Scenario& scenario) {
  std::set<ResourceKind> kinds;
  for (const Server& server : scenario.servers) {
    const auto device = scenario.devices.find(server.devices.type);
    if (device != scenario.devices.end()) kinds.insert(device->second.kind);
  }
  if (kinds.size() != 1) return "device";
  switch (*kinds.begin()) {
    case ResourceKind::gpu:
      return "GPU";
    case ResourceKind::fpga:
      return "FPGA";
    case ResourceKind::ipu:
      return "IPU";
    case ResourceKind::cpu:
      return "CPU";
    case ResourceKind::host:
    case ResourceKind::instances:
    case ResourceKind::link:
    case ResourceKind::uplink:
    case ResourceKind::network_card:
    case ResourceKind::bus:
      break;
  }
  return "device";
}

}  // namespace saturn
