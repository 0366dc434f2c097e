#include <set>

#include "scenarios/cross_checks.hpp"

namespace saturn {

void check_costs(const CheckedScenario& checked) {
  if (!checked.scenario.costs.electricity) return;
  std::set<std::string> used;
  for (const Server& server : checked.scenario.servers) used.insert(server.devices.type);
  for (const auto& [name, type] : checked.scenario.devices) {
    const std::string pointer = "/devices/" + escape_pointer(name);
    if (!used.contains(name) || type.power || !checked.complaints.sound(pointer + "/power")) continue;
    checked.refuse(pointer, "scenario.power_unknown",
                   pointer +
                       " has no \"power\", but /costs/electricity is to be paid for what the devices use; give it its "
                       "power, or leave \"electricity\" out.");
  }
}

}  // namespace saturn
