#include "scenarios/platform_routes.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace saturn {

const PlatformRoute& platform_route(const PlatformNetwork& platform, const std::string& from, const std::string& to) {
  const auto found = std::find_if(platform.routes.begin(), platform.routes.end(),
                                  [&](const PlatformRoute& route) { return route.from == from && route.to == to; });
  if (found == platform.routes.end())
    throw std::invalid_argument("platform_route: the platform has no route from " + from + " to " + to);
  return *found;
}

std::vector<std::size_t> contended_links(const PlatformNetwork& platform, const PlatformRoute& route) {
  std::vector<std::size_t> contended;
  for (const std::size_t link : route.links) {
    if (platform.links[link].sharing == LinkSharing::fatpipe) continue;
    if (std::find(contended.begin(), contended.end(), link) == contended.end()) contended.push_back(link);
  }
  return contended;
}

Bandwidth least_bandwidth(const PlatformNetwork& platform, const PlatformRoute& route) {
  Bandwidth least{std::numeric_limits<double>::infinity()};
  for (const std::size_t link : route.links) least = std::min(least, platform.links[link].bandwidth);
  return least;
}

}  // namespace saturn
