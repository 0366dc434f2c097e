#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"

/// Jobs of several sites, each with devices in its own worker nodes, as changes of a scenario.

namespace saturn {

/// Worker nodes of a site, with one device each.
struct NodesOfSite {
  std::string site{};
  std::size_t like = 0;  ///< the server whose devices and host they have: its place in the file
  std::uint64_t nodes = 1;
};

/// Servers in the worker nodes take the place of all others, with models of each site's own.
/// @param resolved  of the scenario, from which servers and models are copied
/// @param attached  JSON of "attached"
std::vector<Override> with_nodes_of_sites(const Scenario& scenario, const std::string& resolved,
                                          const std::vector<NodesOfSite>& nodes, const std::string& attached);

}  // namespace saturn
