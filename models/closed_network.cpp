#include "models/closed_network.hpp"

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

Eigen::MatrixXd demands(const ClosedNetwork& network) {
  Eigen::MatrixXd demand = network.work;
  for (Eigen::Index r = 0; r < demand.cols(); ++r) {
    demand.col(r) /= network.resources[static_cast<std::size_t>(r)].units;
  }
  return demand;
}

}  // namespace saturn
