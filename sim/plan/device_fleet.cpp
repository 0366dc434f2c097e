#include "sim/plan/device_fleet.hpp"

#include <numeric>
#include <utility>

namespace saturn {
namespace {

std::uint64_t& what_grows(Server& server) {
  return server.nodes == 1 ? server.devices.count : server.nodes;
}

}  // namespace

DeviceFleet::DeviceFleet(Scenario scenario) : scenario_(std::move(scenario)) {
  std::uint64_t common = 0;
  for (Server& server : scenario_.servers) common = std::gcd(common, what_grows(server));
  for (Server& server : scenario_.servers) counts_in_step_.push_back(what_grows(server) / common);
  present_steps_ = common;
}

Scenario DeviceFleet::with_steps(std::uint64_t steps) const {
  Scenario grown = scenario_;
  for (std::size_t i = 0; i < counts_in_step_.size(); ++i) what_grows(grown.servers[i]) = counts_in_step_[i] * steps;
  return grown;
}

}  // namespace saturn
