#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/checks/cross_checks.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"

namespace saturn {

namespace {

using Sites = std::pair<std::string, std::string>;

void check_per_flow(const CheckedScenario& checked, const std::string& pointer, const Link& link) {
  const std::string at = pointer + "/per_flow";
  const Bandwidth back = bandwidth_back(link);
  if (!link.per_flow || (*link.per_flow <= link.bandwidth && *link.per_flow <= back)) return;
  if (*link.per_flow > link.bandwidth && *link.per_flow > back) {
    checked.warn(at, "scenario.per_flow_above_link",
                 at + " is above the link's bandwidth, so it never limits a transfer; leave it out or lower it.");
    return;
  }
  const bool forth = *link.per_flow > link.bandwidth;
  checked.warn(at, "scenario.per_flow_above_link",
               at + " is above the link's " + (forth ? "bandwidth" : "bandwidth_back") +
                   ", so it never limits a transfer from " + shown(forth ? link.site_a : link.site_b) + " to " +
                   shown(forth ? link.site_b : link.site_a) + "; lower it if it should.");
}

void check_slow_start(const CheckedScenario& checked, const std::string& pointer, const Link& link) {
  if (!link.tcp) return;
  const Bandwidth fastest =
      std::min(std::max(link.bandwidth, bandwidth_back(link)), link.per_flow.value_or(link.bandwidth));
  const double under_way = fastest.value * link.round_trip_time.value;
  if (link.tcp->initial_window.value < under_way) return;
  checked.warn(pointer + "/tcp", "scenario.slow_start_never_waits",
               pointer +
                   "/tcp makes no transfer wait unless other links add to the round trip: the initial window holds " +
                   in_words(link.tcp->initial_window.value) + " B, a round trip of this link " + in_words(under_way) +
                   " B; leave it out, or give the link its round-trip time.");
}

void check_link_list(const CheckedScenario& checked) {
  std::map<Sites, std::size_t> first;
  const std::vector<Link>& links = checked.scenario.links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const std::string pointer = "/network/links/" + std::to_string(i);
    if (checked.complaints.sound(pointer + "/between")) {
      const Sites sites = in_order(link.site_a, link.site_b);
      const auto [before, is_new] = first.emplace(sites, i);
      if (!is_new)
        checked.refuse(pointer + "/between", "scenario.duplicate_link",
                       pointer + " joins " + shown(sites.first) + " and " + shown(sites.second) +
                           ", as does /network/links/" + std::to_string(before->second) +
                           "; make one link of the two, with their bandwidths added.");
    }
    if (!checked.complaints.sound(pointer)) continue;
    check_per_flow(checked, pointer, link);
    check_slow_start(checked, pointer, link);
  }
}

/// Warns of links that end where nobody is and no other link leads on.
void check_ends_of_links(const CheckedScenario& checked) {
  std::set<std::string> sites;
  for (const JobPool& pool : checked.scenario.jobs) sites.insert(pool.site);
  for (const Server& server : checked.scenario.servers) sites.insert(server.site);
  const std::vector<Link>& links = checked.scenario.links;
  std::map<std::string, std::set<std::string>> neighbours;
  for (const Link& link : links) {
    neighbours[link.site_a].insert(link.site_b);
    neighbours[link.site_b].insert(link.site_a);
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::string between = "/network/links/" + std::to_string(i) + "/between";
    for (const auto& [site, index] : {std::pair{links[i].site_a, "/0"}, std::pair{links[i].site_b, "/1"}})
      if (!sites.contains(site) && neighbours[site].size() < 2)
        checked.warn(between + index, "scenario.unused_link",
                     between + index + " is " + shown(site) +
                         ", where neither jobs nor servers are, and no other link leads on.");
  }
}

/// What decides whether two sites can call each other.
struct Reach {
  SitePaths paths;
  std::set<Sites> ruled;     // explicit routes have complaints of their own
  bool links_known = false;  // a link that could not be read may be the one that is missed

  bool lacks(const std::string& a, const std::string& b) {
    return links_known && !ruled.contains(in_order(a, b)) && !paths.between(a, b);
  }
};

/// Whether the jobs reach the servers that hold the model.
void check_reach(const CheckedScenario& checked, const JobPool& pool, const std::string& infer_at,
                 const std::string& model, Reach& reach) {
  std::set<std::string> refused;
  for (std::size_t s = 0; s < checked.scenario.servers.size(); ++s) {
    const Server& server = checked.scenario.servers[s];
    const bool holds = std::find(server.models.begin(), server.models.end(), model) != server.models.end();
    if (!holds || server.site == pool.site) continue;
    const std::string server_at = "/servers/" + std::to_string(s);
    if (!checked.complaints.sound(server_at + "/site") || !checked.complaints.sound(server_at + "/attached")) continue;
    const std::string call = infer_at + " calls " + shown(model) + " from " + shown(pool.site) + " on server " +
                             shown(server.name) + " at " + shown(server.site);
    if (server.attached) {
      checked.refuse(infer_at, "scenario.attached_elsewhere",
                     call +
                         ", whose devices are attached to the worker nodes there; move the jobs to that site, leave "
                         "\"attached\" out, or give the model that they call another name.");
      continue;
    }
    if (!reach.lacks(pool.site, server.site)) continue;
    if (!refused.insert(server.site).second) continue;
    checked.refuse(infer_at, "scenario.missing_link",
                   call + ", but no path of links joins the two sites; add { \"between\": [" + shown(pool.site) + ", " +
                       shown(server.site) + "], \"bandwidth\": \"...\", \"rtt\": \"...\" } to /network/links.");
  }
}

}  // namespace

void check_links(const CheckedScenario& checked) {
  const bool listed = !checked.scenario.platform_file && checked.complaints.sound("/network/platform");
  check_link_list(checked);
  check_ends_of_links(checked);
  Reach reach{.paths = SitePaths(checked.scenario),
              .ruled = {},
              .links_known =
                  listed && checked.complaints.sound("/network/links") && checked.complaints.sound("/network/routes")};
  for (const RouteRule& route : checked.scenario.routes) reach.ruled.insert(in_order(route.site_a, route.site_b));
  std::set<std::pair<std::size_t, std::string>> looked_at;
  for (const ModelCall& call : model_calls(checked.scenario)) {
    const std::string infer_at = call.pointer() + "/infer";
    if (!checked.complaints.sound("/jobs/" + std::to_string(call.job) + "/site") || !checked.complaints.sound(infer_at))
      continue;
    if (looked_at.emplace(call.job, call.infer.model).second)
      check_reach(checked, call.pool, infer_at, call.infer.model, reach);
  }
}

namespace {

/// Where a route's site stands: its first, those of "via", its last.
std::string stop_at(const std::string& pointer, const RouteRule& route, std::size_t stop) {
  if (stop == 0) return pointer + "/between/0";
  return stop > route.via.size() ? pointer + "/between/1" : pointer + "/via/" + std::to_string(stop - 1);
}

std::vector<std::string> stops_of(const RouteRule& route) {
  std::vector<std::string> stops{route.site_a};
  stops.insert(stops.end(), route.via.begin(), route.via.end());
  stops.push_back(route.site_b);
  return stops;
}

/// True when the route passes no site twice.
bool check_circle(const CheckedScenario& checked, const std::string& pointer, const RouteRule& route) {
  const std::vector<std::string> stops = stops_of(route);
  if (route.site_a == route.site_b) {
    checked.refuse(pointer + "/between", "scenario.route_within_site",
                   pointer + "/between is " + shown(route.site_a) +
                       " twice; calls within a site take its link to itself, if there is one. Name two sites, or leave "
                       "the route out.");
    return false;
  }
  for (std::size_t k = 1; k + 1 < stops.size(); ++k) {
    std::size_t before = static_cast<std::size_t>(std::find(stops.begin(), stops.end(), stops[k]) - stops.begin());
    if (before == k && stops[k] == stops.back()) before = stops.size() - 1;
    if (before == k) continue;
    checked.refuse(stop_at(pointer, route, k), "scenario.route_in_a_circle",
                   stop_at(pointer, route, k) + " is " + shown(stops[k]) + ", as is " +
                       stop_at(pointer, route, before) +
                       ": the route would lead in a circle; pass each site once at most.");
    return false;
  }
  return true;
}

void check_neighbours(const CheckedScenario& checked, const std::string& pointer, const RouteRule& route,
                      const std::set<Sites>& joined) {
  const std::vector<std::string> stops = stops_of(route);
  for (std::size_t k = 0; k + 1 < stops.size(); ++k) {
    if (joined.contains(in_order(stops[k], stops[k + 1]))) continue;
    const std::string at = stop_at(pointer, route, k + 1);
    checked.refuse(at, "scenario.route_without_link",
                   at + " goes from " + shown(stops[k]) + " on to " + shown(stops[k + 1]) +
                       ", but no link joins these two; name the sites between them as well, or add { \"between\": [" +
                       shown(stops[k]) + ", " + shown(stops[k + 1]) +
                       "], \"bandwidth\": \"...\", \"rtt\": \"...\" } to /network/links.");
  }
}

}  // namespace

void check_routes(const CheckedScenario& checked) {
  const Scenario& scenario = checked.scenario;
  // Routes beside a platform file are refused as such.
  if (scenario.platform_file) return;
  std::set<Sites> joined;
  for (const Link& link : scenario.links) joined.insert(in_order(link.site_a, link.site_b));
  std::set<Sites> calls;
  for (const auto& [from, to] : calling_sites(scenario)) calls.insert(in_order(from, to));
  const bool calls_known = checked.complaints.sound("/jobs") && checked.complaints.sound("/servers");
  const bool links_known = checked.complaints.sound("/network/links");
  std::map<Sites, std::size_t> first;
  for (std::size_t i = 0; i < scenario.routes.size(); ++i) {
    const RouteRule& route = scenario.routes[i];
    const std::string pointer = "/network/routes/" + std::to_string(i);
    if (!checked.complaints.sound(pointer)) continue;
    const auto [before, is_new] = first.emplace(in_order(route.site_a, route.site_b), i);
    if (!is_new)
      checked.refuse(pointer + "/between", "scenario.duplicate_route",
                     pointer + " is between " + shown(route.site_a) + " and " + shown(route.site_b) +
                         ", as is /network/routes/" + std::to_string(before->second) +
                         "; calls take the same way in both directions, so leave one of them out.");
    if (!check_circle(checked, pointer, route)) continue;
    if (links_known) check_neighbours(checked, pointer, route, joined);
    if (calls_known && !calls.contains(in_order(route.site_a, route.site_b)))
      checked.warn(pointer + "/between", "scenario.unused_route",
                   pointer + " is between " + shown(route.site_a) + " and " + shown(route.site_b) +
                       ", but no jobs at one of them call a server at the other.");
  }
}

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
  checked.refuse(pointer, "scenario.unknown_site",
                 pointer + " names the site " + shown(site) + ", where no jobs, no servers and no links are. " +
                     name_meant(site, {known.begin(), known.end()}, "Did you mean", "There are"));
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
                     " threads in all, each on a core; raise it, or lower \"count\" or \"threads\" of " +
                     joined(pools) + ".");
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
