#include "models/queueing/closed_network.hpp"

#include <stdexcept>

namespace saturn {

const char* name_of(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::gpu:
      return "gpu";
    case ResourceKind::fpga:
      return "fpga";
    case ResourceKind::ipu:
      return "ipu";
    case ResourceKind::cpu:
      return "cpu";
    case ResourceKind::host:
      return "host";
    case ResourceKind::instances:
      return "instances";
    case ResourceKind::sequence_slots:
      return "sequence slots";
    case ResourceKind::link:
      return "link";
    case ResourceKind::uplink:
      return "uplink";
    case ResourceKind::network_card:
      return "network card";
    case ResourceKind::bus:
      return "bus";
  }
  throw std::logic_error("name_of: a resource kind without a name");
}

Matrix demands(const ClosedNetwork& network) {
  return demands(network, network.work);
}

Matrix demands(const ClosedNetwork& network, Matrix work) {
  for (std::size_t j = 0; j < work.rows(); ++j)
    for (std::size_t r = 0; r < work.columns(); ++r) work(j, r) /= network.resources[r].units;
  return work;
}

}  // namespace saturn
