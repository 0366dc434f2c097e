#include "scenarios/alike_servers.hpp"

#include <algorithm>

#include "scenarios/routes.hpp"

namespace saturn {

namespace {

bool same_host(const std::optional<HostStage>& a, const std::optional<HostStage>& b) {
  if (!a || !b) return !a && !b;
  return a->per_request == b->per_request && a->per_item == b->per_item && a->workers == b->workers;
}

bool same_bus(const std::optional<Attachment>& a, const std::optional<Attachment>& b) {
  if (!a || !b) return !a && !b;
  return a->bus == b->bus && a->latency == b->latency;
}

}  // namespace

bool alike(const Server& a, const Server& b) {
  return a.site == b.site && a.nic == b.nic && a.devices.type == b.devices.type && a.devices.count == b.devices.count &&
         a.devices.mig == b.devices.mig && a.devices.interference == b.devices.interference &&
         std::is_permutation(a.models.begin(), a.models.end(), b.models.begin(), b.models.end()) &&
         a.balancing == b.balancing && same_host(a.host, b.host) && same_bus(a.attached, b.attached);
}

bool on_alike_servers(const Scenario& scenario, const std::string& model) {
  const std::vector<std::size_t> holders = servers_of(scenario, model);
  return std::all_of(holders.begin(), holders.end(),
                     [&](std::size_t s) { return alike(scenario.servers[s], scenario.servers[holders.front()]); });
}

}  // namespace saturn
