#include <algorithm>

#include "scenarios/cross_checks.hpp"

namespace saturn {

namespace {

std::string server_at(std::size_t i) {
  return "/servers/" + std::to_string(i);
}

/// Servers that share a model form one balancer's pool.
void check_agreement(const CheckedScenario& checked) {
  std::map<std::string, std::size_t> first;
  const std::vector<Server>& servers = checked.scenario.servers;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    if (!checked.complaints.sound(server_at(i))) continue;
    for (const std::string& model : servers[i].models) {
      const std::size_t before = first.emplace(model, i).first->second;
      const bool same_dispatch = servers[before].dispatch == servers[i].dispatch;
      if (same_dispatch && servers[before].balancing == servers[i].balancing) continue;
      const std::string key = same_dispatch ? "balancing" : "dispatch";
      checked.refuse(server_at(i) + "/" + key,
                     same_dispatch ? "scenario.balancing_disagrees" : "scenario.dispatch_disagrees",
                     server_at(i) + " and " + server_at(before) + " both hold " + shown(model) +
                         " but spread its requests differently; give both the same \"" + key + "\".");
      break;
    }
  }
}

void check_central_queue(const CheckedScenario& checked, std::size_t i) {
  const std::vector<Server>& servers = checked.scenario.servers;
  const Server& server = servers[i];
  const std::string pointer = server_at(i);
  if (server.nic)
    checked.refuse(pointer + "/nic", "scenario.central_queue_with_nic",
                   pointer +
                       "/nic limits each node, but with \"balancing\": \"central_queue\" a request has reached no "
                       "node while it waits; leave \"nic\" out, or balance per request.");
  if (server.devices.interference > 0.0 && server.nodes > 1)
    checked.refuse(pointer + "/devices/interference", "scenario.central_queue_with_interference",
                   pointer +
                       "/devices/interference is between the devices of one node, but with \"balancing\": "
                       "\"central_queue\" the devices of all nodes serve one queue and are not told apart by nodes; "
                       "leave it out, or balance per request.");
  if (checked.document.nearest(pointer).find("dispatch") != nullptr)
    checked.warn(pointer + "/dispatch", "scenario.central_queue_with_dispatch",
                 pointer +
                     "/dispatch has no meaning with \"balancing\": \"central_queue\", where the next free "
                     "instance takes a request.");
  for (std::size_t k = 0; k < servers.size(); ++k) {
    const bool said_there = k < i && servers[k].balancing == Balancing::central_queue;
    if (k == i || said_there || !checked.complaints.sound(server_at(k))) continue;
    const auto shared = std::find_first_of(server.models.begin(), server.models.end(), servers[k].models.begin(),
                                           servers[k].models.end());
    if (shared == server.models.end()) continue;
    checked.refuse(pointer + "/balancing", "scenario.central_queue_shared",
                   pointer + " and " + server_at(k) + " both hold " + shown(*shared) +
                       ", but a central queue joins the nodes of one server only; make one server of them, or balance "
                       "per request.");
    return;
  }
}

}  // namespace

void check_balancing(const CheckedScenario& checked) {
  const std::vector<Server>& servers = checked.scenario.servers;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const DevicePool& devices = servers[i].devices;
    if (devices.interference == 0.0 || devices.mig.empty() || !checked.complaints.sound(server_at(i))) continue;
    checked.refuse(server_at(i) + "/devices/interference", "scenario.interference_with_slices",
                   server_at(i) +
                       "/devices/interference is measured between whole devices and says nothing of slices; leave it "
                       "or \"mig\" out.");
  }
  for (std::size_t i = 0; i < servers.size(); ++i)
    if (servers[i].balancing == Balancing::central_queue && checked.complaints.sound(server_at(i)))
      check_central_queue(checked, i);
  check_agreement(checked);
}

}  // namespace saturn
