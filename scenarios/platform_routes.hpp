#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/platform_network.hpp"

namespace saturn {

/// The route from one host to another.
/// @throws std::invalid_argument  the platform has none for these two
const PlatformRoute& platform_route(const PlatformNetwork& platform, const std::string& from, const std::string& to);

/// The links of a route that its transfers contend for, in the order of the route, each once even where the route
/// crosses it twice: all but fat pipes. Indices into PlatformNetwork::links.
std::vector<std::size_t> contended_links(const PlatformNetwork& platform, const PlatformRoute& route);

/// What one transfer over the route reaches alone: the least bandwidth of its links, fat pipes among them; infinite for
/// a route without links.
Bandwidth least_bandwidth(const PlatformNetwork& platform, const PlatformRoute& route);

}  // namespace saturn
