#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scenarios/scenario.hpp"
#include "scenarios/topology/routes.hpp"

namespace simgrid::s4u {

class Engine;
class Link;
class LinkInRoute;
class NetZone;
class SplitDuplexLink;

}  // namespace simgrid::s4u

namespace simgrid::kernel::routing {

class NetPoint;

}  // namespace simgrid::kernel::routing

namespace saturn {

/// One direction of a link, a link of a platform file, one direction of a site's uplink, or of one node's network card
/// or bus, as SimGrid's platform has it.
struct Channel {
  std::string resource;    ///< name of the resource that it belongs to; the cards of a server share one
  double bandwidth = 0.0;  ///< [byte/s]
};

/// The way from a site to a node, or back, as SimGrid's routing gives it.
struct Path {
  std::vector<std::size_t> channels;  ///< numbers into Platform::channels(); none over fat pipes alone
  double latency = 0.0;               ///< one way [s]
  double cap = 0.0;                   ///< what one transfer reaches alone [byte/s]; 0 where nothing is declared
  double round_trip_s = 0.0;          ///< there and back [s]
  std::optional<SlowStart> slow_start{};
};

/// The scenario's sites, nodes, links and routes as a SimGrid platform: a zone with a host for every client site, which
/// also holds the nodes attached there, and a zone with the nodes of every other server; a split-duplex link for every
/// declared link, uplink, network card and bus. Links of a platform file are SimGrid's plain links, which
/// both directions share if their routes do; a link more on each of its routes has the route's latency.
class Platform {
 public:
  Platform(simgrid::s4u::Engine& engine, const Scenario& scenario);

  const std::vector<Channel>& channels() const { return channels_; }
  /// From a client site to a node of a server. No channels and no latency when nothing is declared between them, or
  /// when no job calls the server from there.
  /// @param node  in [0, server.nodes)
  Path to_node(const std::string& site, const Server& server, std::uint64_t node) const;
  Path from_node(const Server& server, std::uint64_t node, const std::string& site) const;

 private:
  /// A zone as the routes to it see it.
  struct Zone {
    simgrid::s4u::NetZone* zone = nullptr;
    simgrid::kernel::routing::NetPoint* gate = nullptr;
  };
  /// What one transfer reaches between a site and a server [byte/s], and how its connection gets there.
  struct Caps {
    double send = 0.0;
    double receive = 0.0;
    double round_trip_s = 0.0;
    std::optional<SlowStart> slow_start{};
  };

  static Zone make_zone(simgrid::s4u::NetZone& root, const std::string& name);
  simgrid::s4u::SplitDuplexLink* make_link(simgrid::s4u::NetZone& zone, const DirectionNames& names, Bandwidth forth,
                                           Bandwidth back, Seconds latency);
  void make_links(simgrid::s4u::NetZone& root, const Scenario& scenario);
  void make_platform_links(simgrid::s4u::NetZone& root, const PlatformNetwork& platform);
  void add_platform_route(simgrid::s4u::NetZone& root, const Zone& from, const Zone& to,
                          const PlatformNetwork& platform, const PlatformRoute& route);
  void make_nodes(simgrid::s4u::NetZone& zone, const Server& server);
  std::vector<simgrid::s4u::LinkInRoute> links_between(const std::string& site, const std::string& server_site,
                                                       const SitePath& path) const;
  Path path(const std::string& from, const std::string& to) const;

  simgrid::s4u::Engine& engine_;
  std::vector<Channel> channels_;
  std::unordered_map<std::string, std::size_t> channel_of_link_;  // by SimGrid's name of the direction
  std::vector<simgrid::s4u::SplitDuplexLink*> links_;             // in the order of the scenario
  std::map<std::string, simgrid::s4u::SplitDuplexLink*> uplinks_;
  std::vector<simgrid::s4u::Link*> platform_links_;  // in the order of the platform file's network
  std::size_t platform_routes_ = 0;
  std::map<std::pair<std::string, std::string>, Caps> caps_;  // by site and server, where something is declared
};

}  // namespace saturn
