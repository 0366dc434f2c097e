#include <algorithm>
#include <set>
#include <utility>

#include "scenarios/cross_checks.hpp"
#include "scenarios/routes.hpp"
#include "scenarios/site_paths.hpp"

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
    if (checked.complaints.sound(pointer)) check_per_flow(checked, pointer, link);
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
  for (std::size_t i = 0; i < checked.scenario.jobs.size(); ++i) {
    const JobPool& pool = checked.scenario.jobs[i];
    const std::string pool_at = "/jobs/" + std::to_string(i);
    if (!checked.complaints.sound(pool_at + "/site")) continue;
    std::set<std::string> models;
    for (std::size_t k = 0; k < pool.event.size(); ++k) {
      const auto* stage = std::get_if<InferStage>(&pool.event[k]);
      const std::string infer_at = pool_at + "/event/" + std::to_string(k) + "/infer";
      if (stage == nullptr || !checked.complaints.sound(infer_at)) continue;
      if (models.insert(stage->model).second) check_reach(checked, pool, infer_at, stage->model, reach);
    }
  }
}

}  // namespace saturn
