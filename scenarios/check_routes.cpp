#include <algorithm>
#include <set>

#include "scenarios/cross_checks.hpp"
#include "scenarios/routes.hpp"
#include "scenarios/site_paths.hpp"

namespace saturn {

namespace {

using Sites = std::pair<std::string, std::string>;

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

/// Pairs of sites between which calls travel.
std::set<Sites> calling_sites(const Scenario& scenario) {
  std::set<Sites> pairs;
  for (const JobPool& pool : scenario.jobs)
    for (const Stage& stage : pool.event)
      if (const auto* infer = std::get_if<InferStage>(&stage))
        for (const std::size_t s : servers_of(scenario, infer->model))
          if (!scenario.servers[s].attached) pairs.insert(in_order(pool.site, scenario.servers[s].site));
  return pairs;
}

}  // namespace

void check_routes(const CheckedScenario& checked) {
  const Scenario& scenario = checked.scenario;
  // Routes beside a platform file are refused as such.
  if (scenario.platform_file) return;
  std::set<Sites> joined;
  for (const Link& link : scenario.links) joined.insert(in_order(link.site_a, link.site_b));
  const std::set<Sites> calls = calling_sites(scenario);
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

}  // namespace saturn
