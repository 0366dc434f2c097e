#pragma once

namespace saturn {

/// What kind of hardware a resource is; names the resource's kind in every output.
enum class ResourceKind { gpu, fpga, ipu, cpu, host, instances, link, uplink, network_card, bus };

/// The kind as outputs print it: "gpu", "fpga", "ipu", "cpu", "host", "instances", "link", "uplink",
/// "network card", "bus".
const char* name_of(ResourceKind kind);

/// True of what executes batches.
inline bool is_device(ResourceKind kind) {
  return kind == ResourceKind::gpu || kind == ResourceKind::fpga || kind == ResourceKind::ipu ||
         kind == ResourceKind::cpu;
}

}  // namespace saturn
