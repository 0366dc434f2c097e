#include <set>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/cross_checks.hpp"
#include "scenarios/near_name.hpp"
#include "scenarios/value_rules.hpp"

namespace saturn {

namespace {

std::set<std::string> sites_of_network(const Scenario& scenario) {
  std::set<std::string> sites;
  for (const JobPool& pool : scenario.jobs) sites.insert(pool.site);
  for (const Server& server : scenario.servers) sites.insert(server.site);
  for (const Link& link : scenario.links) sites.insert({link.site_a, link.site_b});
  return sites;
}

/// Where sites get their names; a name that could not be read may be the one that is missed.
bool names_are_known(const CheckedScenario& checked) {
  const ComplaintList& complaints = checked.complaints;
  if (!complaints.complete("/jobs") || !complaints.complete("/servers") || !complaints.complete("/network/links"))
    return false;
  for (std::size_t i = 0; i < checked.scenario.jobs.size(); ++i)
    if (!complaints.sound("/jobs/" + std::to_string(i) + "/site")) return false;
  for (std::size_t i = 0; i < checked.scenario.servers.size(); ++i)
    if (!complaints.sound("/servers/" + std::to_string(i) + "/site")) return false;
  for (std::size_t i = 0; i < checked.scenario.links.size(); ++i)
    if (!complaints.sound("/network/links/" + std::to_string(i) + "/between")) return false;
  return true;
}

void check_site_name(const CheckedScenario& checked, const std::set<std::string>& known, const std::string& pointer,
                     const std::string& site) {
  if (known.contains(site) || !checked.complaints.complete(pointer)) return;
  const std::vector<std::string> names(known.begin(), known.end());
  const std::string nearest = nearest_name(site, names);
  checked.refuse(pointer, "scenario.unknown_site",
                 pointer + " names the site " + shown(site) + ", where no jobs, no servers and no links are. " +
                     (nearest.empty() ? "There are " + listed(names) + "." : "Did you mean \"" + nearest + "\"?"));
}

void check_cores(const CheckedScenario& checked, const std::string& pointer, const std::string& site,
                 std::uint64_t cores) {
  double threads = 0.0;
  std::vector<std::string> pools;
  for (std::size_t i = 0; i < checked.scenario.jobs.size(); ++i) {
    const JobPool& pool = checked.scenario.jobs[i];
    if (pool.site != site) continue;
    const std::string pool_at = "/jobs/" + std::to_string(i);
    if (!checked.complaints.sound(pool_at + "/count") || !checked.complaints.sound(pool_at + "/threads")) return;
    threads += static_cast<double>(pool.count) * static_cast<double>(pool.threads);
    pools.push_back(pool_at);
  }
  if (threads <= static_cast<double>(cores)) return;
  checked.refuse(pointer, "scenario.too_few_cores",
                 pointer + " is " + with_commas(cores) + ", but the jobs at " + shown(site) + " have " +
                     with_commas(static_cast<std::uint64_t>(threads)) +
                     " threads in all, each on a core; raise it, or lower \"count\" or \"threads\" of " + joined(pools) + ".");
}

}  // namespace

void check_sites(const CheckedScenario& checked) {
  const Scenario& scenario = checked.scenario;
  const std::set<std::string> known = sites_of_network(scenario);
  const bool all_known = names_are_known(checked);
  for (const auto& [name, site] : scenario.sites) {
    const std::string pointer = "/network/sites/" + escape_pointer(name);
    if (all_known) check_site_name(checked, known, pointer, name);
    if (site.cores && checked.complaints.sound(pointer + "/cores"))
      check_cores(checked, pointer + "/cores", name, *site.cores);
  }
  // Routes beside a platform file are refused as such.
  if (!all_known || scenario.platform_file) return;
  for (std::size_t i = 0; i < scenario.routes.size(); ++i) {
    const RouteRule& route = scenario.routes[i];
    const std::string pointer = "/network/routes/" + std::to_string(i);
    if (checked.complaints.sound(pointer + "/between")) {
      check_site_name(checked, known, pointer + "/between/0", route.site_a);
      check_site_name(checked, known, pointer + "/between/1", route.site_b);
    }
    if (!checked.complaints.sound(pointer + "/via")) continue;
    for (std::size_t k = 0; k < route.via.size(); ++k)
      check_site_name(checked, known, pointer + "/via/" + std::to_string(k), route.via[k]);
  }
}

}  // namespace saturn
