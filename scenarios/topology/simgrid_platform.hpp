#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/values/units.hpp"

namespace saturn {

/// Who contends for a link of a SimGrid platform.
enum class LinkSharing {
  shared,         ///< all transfers, both directions together
  one_direction,  ///< all transfers of one direction of a split-duplex link
  fatpipe,        ///< none: its bandwidth caps each transfer alone
};

/// A link of a SimGrid platform, or one direction of a split-duplex link, under the name that SimGrid gives it
/// ("wan_UP", "wan_DOWN").
struct PlatformLink {
  std::string name{};
  Bandwidth bandwidth{};  ///< > 0
  LinkSharing sharing = LinkSharing::shared;
};

/// The way from one host of a SimGrid platform to another.
struct PlatformRoute {
  std::string from{};
  std::string to{};
  std::vector<std::size_t> links{};  ///< indices into PlatformNetwork::links, in the order in which they are crossed;
                                     ///< empty only from a host to itself where the platform has no link for that
  Seconds latency{};                 ///< one way, >= 0
};

/// What a scenario needs of a SimGrid platform file: the links that its routes cross, each once.
struct PlatformNetwork {
  std::vector<std::string> hosts{};  ///< names of all hosts of the file, sorted
  std::vector<PlatformLink> links{};
  std::vector<PlatformRoute> routes{};
};

/// An ordered pair of names of hosts.
struct HostPair {
  std::string from{};
  std::string to{};
};

/// Reads a SimGrid platform file: the routes of the pairs of hosts, in order, or what is wrong with the file, in one
/// line. This library does not know SimGrid, so its caller brings the reader.
using PlatformReader =
    std::function<std::variant<PlatformNetwork, std::string>(const std::string& path, const std::vector<HostPair>&)>;

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

/// Most hosts, routers and links that the elements of a platform file may stand for, clusters written out: they take
/// SimGrid about 1 GB.
inline constexpr double most_platform_parts = 1'000'000;

/// Something in a platform file that SimGrid is not to see.
struct PlatformTextFault {
  std::size_t offset = 0;  ///< where it begins [byte]
  std::string code{};
  std::string text{};  ///< what is found, what is allowed, the way out
};

/// What keeps the text of a SimGrid platform file from being a mere description of hosts, links and routes, in order;
/// at most 50 faults. SimGrid's parser obeys such a file: it opens files that it names (for writing too, by <config>),
/// starts programs' actors, and makes every host of a cluster. So only elements that describe a network are let
/// through, without profiles, and XML only in the plain form that every parser reads alike: no entities of its own, no
/// CDATA, no processing instructions.
/// Codes: scenario.platform_syntax, .platform_not_plain, .platform_element, .platform_reads_file,
/// .platform_cluster_size, .platform_too_large
/// Cost: linear in the text; hosts of clusters are counted, not made
/// Source: SimGrid 3.32's simgrid.dtd
/// @param text  UTF-8
std::vector<PlatformTextFault> platform_text_faults(const std::string& text);

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
