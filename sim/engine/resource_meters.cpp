#include "sim/engine/resource_meters.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace saturn {

ResourceMeters::ResourceMeters(const Scenario& scenario, const ClosedNetwork& network, const Platform& platform,
                               const InferenceService& service, const std::vector<PoolMeter>& pools)
    : scenario_(scenario), network_(network), service_(service), pools_(pools) {
  RoutedResources routed = routed_resources(scenario);
  servers_ = std::move(routed.servers);
  cores_ = std::move(routed.cores);
  match_channels(platform.channels());
}

std::vector<StationMeter> ResourceMeters::read(double now) const {
  std::vector<StationMeter> resources(network_.resources.size());
  for (std::size_t s = 0; s < scenario_.servers.size(); ++s) {
    const ServerResources& places = servers_[s];
    for (const auto& node : service_.nodes(s)) {
      resources[places.devices] += node->meter(now);
      if (places.host) resources[*places.host] += node->host_meter(now);
      for (const auto& [model, place] : places.instances)
        resources[place].busy_area += node->busy_instances_area(service_.model_number(model), now);
    }
  }
  for (std::size_t p = 0; p < pools_.size(); ++p)
    if (cores_[p]) resources[*cores_[p]] = pools_[p].cores.read(now);
  for (const InferenceService::Way& way : service_.ways()) {
    for (const std::size_t channel : way.channels) {
      const std::size_t r = resource_of_channel_[channel];
      resources[r].present_area += way.leg->transfers_area(now);
      resources[r].busy_area += way.leg->carried_bytes(now) / unit_rate_[r];
    }
  }
  return resources;
}

void ResourceMeters::match_channels(const std::vector<Channel>& channels) {
  std::map<std::string, std::size_t> places;
  for (std::size_t r = 0; r < network_.resources.size(); ++r) places[network_.resources[r].name] = r;
  unit_rate_.resize(network_.resources.size());
  for (const Channel& channel : channels) {
    const auto place = places.find(channel.resource);
    // What no route crosses is no resource.
    resource_of_channel_.push_back(place == places.end() ? unlisted : place->second);
    if (place != places.end()) unit_rate_[place->second] += channel.bandwidth / network_.resources[place->second].units;
  }
  for (const InferenceService::Way& way : service_.ways())
    for (const std::size_t channel : way.channels)
      if (resource_of_channel_[channel] == unlisted)
        throw std::logic_error("a route crosses the unlisted resource " + channels[channel].resource);
}

}  // namespace saturn
