#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace saturn {

/// How many hosts the radical of a SimGrid cluster stands for: "0-9,12" for 11.
/// @returns nothing where it is no list of whole numbers below 2^31 and of ranges of them
std::optional<double> hosts_of_radical(std::string_view radical);

/// How many hosts, routers and links SimGrid makes of a cluster's topology, at most.
/// @param topology    "FLAT", "TORUS", "FAT_TREE" or "DRAGONFLY"
/// @param parameters  as SimGrid reads them: "4,4,2" for a torus; "2;4,4;1,2;1,2" (levels; below; above; cables) for a
/// fat tree; "3,4;4,3;5,1;2" (groups, chassis and routers with their cables; hosts of a router) for a dragonfly
/// @returns 0 for a flat cluster, nothing where they are not of that form
std::optional<double> parts_of_topology(std::string_view topology, std::string_view parameters);

/// The form of the parameters, for who has to write them.
std::string form_of_topology(std::string_view topology);

}  // namespace saturn
