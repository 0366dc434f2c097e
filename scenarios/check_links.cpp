#include <algorithm>
#include <set>
#include <utility>

#include "scenarios/cross_checks.hpp"

namespace saturn {

namespace {

using Sites = std::pair<std::string, std::string>;

Sites in_order(const std::string& a, const std::string& b) {
  return std::minmax(a, b);
}

std::set<Sites> check_link_list(const CheckedScenario& checked) {
  std::map<Sites, std::size_t> first;
  std::set<Sites> joined;
  const std::vector<Link>& links = checked.scenario.links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const std::string pointer = "/network/links/" + std::to_string(i);
    if (checked.complaints.sound(pointer + "/between")) {
      const Sites sites = in_order(link.site_a, link.site_b);
      joined.insert(sites);
      const auto [before, is_new] = first.emplace(sites, i);
      if (!is_new)
        checked.refuse(pointer + "/between", "scenario.duplicate_link",
                       pointer + " joins " + shown(sites.first) + " and " + shown(sites.second) +
                           ", as does /network/links/" + std::to_string(before->second) +
                           "; make one link of the two, with their bandwidths added.");
    }
    if (checked.complaints.sound(pointer) && link.per_flow && *link.per_flow > link.bandwidth)
      checked.warn(pointer + "/per_flow", "scenario.per_flow_above_link",
                   pointer +
                       "/per_flow is above the link's bandwidth, so it never limits a transfer; leave it out or "
                       "lower it.");
  }
  return joined;
}

void check_sites_of_links(const CheckedScenario& checked) {
  std::set<std::string> sites;
  for (const JobPool& pool : checked.scenario.jobs) sites.insert(pool.site);
  for (const Server& server : checked.scenario.servers) sites.insert(server.site);
  const std::vector<Link>& links = checked.scenario.links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::string between = "/network/links/" + std::to_string(i) + "/between";
    for (const auto& [site, index] : {std::pair{links[i].site_a, "/0"}, std::pair{links[i].site_b, "/1"}})
      if (!sites.contains(site))
        checked.warn(between + index, "scenario.unused_link",
                     between + index + " is " + shown(site) + ", where neither jobs nor servers are.");
  }
}

void check_route(const CheckedScenario& checked, const JobPool& pool, const std::string& infer_at,
                 const std::string& model, const std::set<Sites>& joined) {
  std::set<std::string> refused;
  for (std::size_t s = 0; s < checked.scenario.servers.size(); ++s) {
    const Server& server = checked.scenario.servers[s];
    const bool holds = std::find(server.models.begin(), server.models.end(), model) != server.models.end();
    if (!holds || server.site == pool.site || joined.contains(in_order(pool.site, server.site))) continue;
    if (!checked.complaints.sound("/servers/" + std::to_string(s) + "/site")) continue;
    if (!refused.insert(server.site).second) continue;
    checked.refuse(infer_at, "scenario.missing_link",
                   infer_at + " calls " + shown(model) + " from " + shown(pool.site) + " on server " +
                       shown(server.name) + " at " + shown(server.site) +
                       ", but no link joins the two sites; add { \"between\": [" + shown(pool.site) + ", " +
                       shown(server.site) + "], \"bandwidth\": \"...\", \"rtt\": \"...\" } to /network/links.");
  }
}

}  // namespace

void check_links(const CheckedScenario& checked) {
  const std::set<Sites> joined = check_link_list(checked);
  check_sites_of_links(checked);
  if (!checked.complaints.sound("/network")) return;
  for (std::size_t i = 0; i < checked.scenario.jobs.size(); ++i) {
    const JobPool& pool = checked.scenario.jobs[i];
    const std::string pool_at = "/jobs/" + std::to_string(i);
    if (!checked.complaints.sound(pool_at + "/site")) continue;
    std::set<std::string> models;
    for (std::size_t k = 0; k < pool.event.size(); ++k) {
      const auto* stage = std::get_if<InferStage>(&pool.event[k]);
      const std::string infer_at = pool_at + "/event/" + std::to_string(k) + "/infer";
      if (stage == nullptr || !checked.complaints.sound(infer_at)) continue;
      if (models.insert(stage->model).second) check_route(checked, pool, infer_at, stage->model, joined);
    }
  }
}

}  // namespace saturn
