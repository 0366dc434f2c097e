#include <map>
#include <set>

#include "scenarios/cross_checks.hpp"
#include "scenarios/routes.hpp"

namespace saturn {

namespace {

void check_other_keys(const CheckedScenario& checked) {
  const Node* network = checked.document.root.find("network");
  const auto has_entries = [&](const char* key) {
    const Node* list = network == nullptr ? nullptr : network->find(key);
    return list != nullptr && !list->children.empty();
  };
  for (const char* key : {"links", "routes"}) {
    if (!has_entries(key)) continue;
    const std::string pointer = std::string("/network/") + key;
    checked.refuse(pointer, "scenario.beside_platform",
                   pointer +
                       " stands beside /network/platform, but the platform file says what links and routes there "
                       "are; leave \"" +
                       key + "\" or \"platform\" out.");
  }
  for (const auto& [name, site] : checked.scenario.sites) {
    if (!site.uplink) continue;
    const std::string pointer = "/network/sites/" + escape_pointer(name) + "/uplink";
    checked.refuse(pointer, "scenario.beside_platform",
                   pointer +
                       " stands beside /network/platform, but the platform file says what every call crosses; "
                       "leave \"uplink\" out, and give the file a link for it.");
  }
}

/// Results name resources, so no link of the file may be called as another resource is.
void check_names_of_links(const CheckedScenario& checked) {
  std::set<std::string> links;
  for (const PlatformLink& link : checked.scenario.platform->links) links.insert(link.name);
  std::map<std::string, std::size_t> times;
  for (const Resource& resource : routed_resources(checked.scenario).resources) ++times[resource.name];
  for (const auto& [name, count] : times) {
    if (count < 2 || !links.contains(name)) continue;
    checked.refuse("/network/platform", "scenario.platform_link_name",
                   "/network/platform is " + shown(*checked.scenario.platform_file) + ", where a link has the name " +
                       shown(name) + ", as another resource of the scenario has; give the link another name.");
  }
}

}  // namespace

void check_platform(const CheckedScenario& checked) {
  if (!checked.scenario.platform_file) return;
  check_other_keys(checked);
  // The resources of a scenario with mistakes are not known.
  if (checked.scenario.platform && checked.complaints.empty()) check_names_of_links(checked);
}

}  // namespace saturn
