#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "scenarios/topology/simgrid_platform.hpp"

namespace saturn {

/// A platform file that gives no routes: the user's input, with what is wrong with it.
class PlatformFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Loads a SimGrid platform file (XML) into this process's engine and asks it for the routes between hosts, one a pair,
/// in order. Once a process, and best in a child: SimGrid 3.32 ends the process on some bad files (sim/run does that).
/// @throws PlatformFault  the file is missing or no platform, a host is unknown, hosts are not connected, a link is
/// wireless or has no bandwidth
PlatformNetwork load_platform_file(const std::string& path, const std::vector<HostPair>& pairs);

}  // namespace saturn
