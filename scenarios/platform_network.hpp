#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "models/units.hpp"

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

}  // namespace saturn
