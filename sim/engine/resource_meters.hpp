#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/closed_network.hpp"
#include "scenarios/routes.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/inference_service.hpp"
#include "sim/engine/meters.hpp"
#include "sim/engine/platform.hpp"
#include "sim/engine/station_meter.hpp"

namespace saturn {

/// The meters of a running system, gathered by the resources of its network. Reading them changes nothing.
class ResourceMeters {
 public:
  /// All of them outlive this.
  ResourceMeters(const Scenario& scenario, const ClosedNetwork& network, const Platform& platform,
                 const InferenceService& service, const std::vector<PoolMeter>& pools);

  /// In the order of the network's resources; areas only, but of devices, hosts and cores.
  std::vector<StationMeter> read(double now) const;

  const ClosedNetwork& network() const { return network_; }
  const std::vector<ServerResources>& servers() const { return servers_; }
  /// By pool: the resource that its cores are, where event loops share them.
  const std::vector<std::optional<std::size_t>>& cores() const { return cores_; }
  /// @param channel  one that a way of the service crosses
  std::size_t resource_of_channel(std::size_t channel) const { return resource_of_channel_[channel]; }

 private:
  void match_channels(const std::vector<Channel>& channels);

  const Scenario& scenario_;
  const ClosedNetwork& network_;
  const InferenceService& service_;
  const std::vector<PoolMeter>& pools_;
  std::vector<ServerResources> servers_;
  std::vector<std::optional<std::size_t>> cores_;
  static constexpr std::size_t unlisted = static_cast<std::size_t>(-1);
  std::vector<std::size_t> resource_of_channel_;
  std::vector<double> unit_rate_;  // what one unit of each resource of the network carries [byte/s]
};

}  // namespace saturn
