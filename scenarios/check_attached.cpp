#include "scenarios/cross_checks.hpp"

namespace saturn {

namespace {

void check_attachment(const CheckedScenario& checked, const Server& server, const std::string& pointer) {
  if (server.nic && checked.complaints.sound(pointer + "/nic"))
    checked.refuse(pointer + "/nic", "scenario.attached_with_nic",
                   pointer +
                       "/nic is a network card, but the devices are \"attached\": requests reach them over the bus of "
                       "their own node; leave \"nic\" out.");
  if (server.balancing != Balancing::per_connection && checked.complaints.sound(pointer + "/balancing"))
    checked.refuse(pointer + "/balancing", "scenario.attached_balancing",
                   pointer +
                       "/balancing lets requests go to any node, but the devices are \"attached\": an event loop calls "
                       "those of the node that it runs on; leave \"balancing\" out, or make it \"per_connection\".");
  if (server.dispatch != Dispatch::round_robin && checked.complaints.sound(pointer + "/dispatch"))
    checked.refuse(pointer + "/dispatch", "scenario.attached_dispatch",
                   pointer +
                       "/dispatch spreads connections over nodes, but the devices are \"attached\": event loops are "
                       "dealt out to the worker nodes in turn; leave \"dispatch\" out, or make it \"round_robin\".");
}

}  // namespace

void check_attached(const CheckedScenario& checked) {
  for (std::size_t i = 0; i < checked.scenario.servers.size(); ++i) {
    const Server& server = checked.scenario.servers[i];
    const std::string pointer = "/servers/" + std::to_string(i);
    if (server.attached && checked.complaints.complete(pointer)) check_attachment(checked, server, pointer);
  }
}

}  // namespace saturn
