#include "sim/plan/round_trip.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "scenarios/platform_routes.hpp"
#include "scenarios/site_paths.hpp"

namespace saturn {

namespace {

/// The links that calls of the jobs cross, path by path; nothing of devices in the worker nodes.
std::vector<SitePath> paths_of(const Scenario& scenario) {
  SitePaths paths(scenario);
  std::vector<SitePath> result;
  for (const JobPool& pool : scenario.jobs) {
    for (const Server& server : scenario.servers) {
      if (server.attached) continue;
      auto path = paths.between(pool.site, server.site);
      if (path && !path->empty()) result.push_back(std::move(*path));
    }
  }
  return result;
}

}  // namespace

std::optional<double> round_trip_of(const Scenario& scenario) {
  std::optional<double> longest;
  if (scenario.platform) {
    for (const PlatformRoute& there : scenario.platform->routes) {
      const Seconds back = platform_route(*scenario.platform, there.to, there.from).latency;
      longest = std::max(longest.value_or(0.0), (there.latency + back).value);
    }
    return longest;
  }
  for (const SitePath& path : paths_of(scenario)) {
    double seconds = 0.0;
    for (const LinkHop& hop : path) seconds += scenario.links[hop.link].round_trip_time.value;
    longest = std::max(longest.value_or(0.0), seconds);
  }
  return longest;
}

Scenario with_round_trip(const Scenario& scenario, double seconds) {
  const std::vector<SitePath> paths = paths_of(scenario);
  const double longest = round_trip_of(scenario).value_or(0.0);
  Scenario result = scenario;
  if (result.platform) {
    for (PlatformRoute& route : result.platform->routes)
      route.latency = longest > 0.0 ? route.latency * (seconds / longest) : Seconds{0.5 * seconds};
  }
  for (const SitePath& path : paths) {
    for (const LinkHop& hop : path) {
      const Seconds present = scenario.links[hop.link].round_trip_time;
      // Links of no length have no proportion: each path is then divided evenly.
      result.links[hop.link].round_trip_time =
          longest > 0.0 ? present * (seconds / longest) : Seconds{seconds / static_cast<double>(path.size())};
    }
  }
  return result;
}

}  // namespace saturn
