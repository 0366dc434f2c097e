#pragma once

#include <string>
#include <variant>
#include <vector>

#include "scenarios/topology/simgrid_platform.hpp"

namespace saturn {

/// Reads a SimGrid platform file in forked children, so that neither SimGrid's one engine a process is spent nor a file
/// that crashes SimGrid does any harm.
/// @param pairs  hosts between which routes are wanted
/// @returns the hosts, the links and one route a pair, in order, or what is wrong with the file, in one line without
/// the path
/// @throws Interrupted  a signal came
std::variant<PlatformNetwork, std::string> read_platform_file(const std::string& path,
                                                              const std::vector<HostPair>& pairs);

}  // namespace saturn
