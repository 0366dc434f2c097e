#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/queueing/closed_network.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// A link as a path crosses it.
struct LinkHop {
  std::size_t link = 0;  ///< index into Scenario::links
  bool forth = true;     ///< from site_a to site_b

  bool operator==(const LinkHop&) const = default;
};

/// Two sites, whichever of them is named first.
std::pair<std::string, std::string> in_order(const std::string& a, const std::string& b);

/// The links that calls between two sites cross, one after the other.
using SitePath = std::vector<LinkHop>;

/// Finds the paths between the sites of a scenario, which must outlive it.
class SitePaths {
 public:
  explicit SitePaths(const Scenario& scenario);

  /// The path from one site to another; the one back is the same in reverse. It is the explicit route if there is one
  /// for the two sites; else the path with the fewest links; of several the one with the least round-trip time (a
  /// difference below a nanosecond is none), then the one whose links stand first in the scenario. Within one site it
  /// is the site's link to itself, or nothing.
  /// @returns nothing when the links do not join the two sites, or the explicit route passes neighbours without a link
  /// Cost: O(links) for a call from another site than before, if few paths are equally good, and no more than the hops
  /// of the path for further calls from it; O(links) memory, whatever was asked
  std::optional<SitePath> between(const std::string& from, const std::string& to);

  /// Ends of links that were looked at so far: what the calls have cost, and what grows with the network.
  std::uint64_t looked_at() const { return looked_at_; }

 private:
  struct Neighbour {
    std::size_t site = 0;
    LinkHop hop;
  };
  using Sites = std::pair<std::string, std::string>;
  /// How the best path to a site arrives there.
  struct Arrival {
    std::size_t hops = 0;  ///< none: not reached
    std::uint64_t round_trip_ns = 0;
    std::size_t before = 0;  ///< the site before it
    LinkHop hop;
  };

  std::optional<LinkHop> direct(const std::string& from, const std::string& to) const;
  std::optional<SitePath> along(const RouteRule& rule, const std::string& from) const;
  void spread_from(std::size_t site);
  bool prefers(const Arrival& one, const Arrival& other) const;

  const Scenario& scenario_;
  std::map<std::string, std::size_t> numbers_;      // of the sites at which links end
  std::vector<std::vector<Neighbour>> neighbours_;  // by site
  std::map<Sites, std::size_t> rules_;              // by their two sites in order
  std::optional<std::size_t> source_;               // of the paths that are known
  std::vector<Arrival> arrivals_;                   // by site
  std::uint64_t looked_at_ = 0;
};

/// A resource that a flow occupies.
struct Crossing {
  std::size_t resource = 0;  ///< index into RoutedResources::resources
  Bandwidth unit_rate;       ///< of one of the resource's units: its bandwidth over its units
};

/// The network between the jobs of a site and a server; for an attached server its bus.
struct NetworkPath {
  Seconds round_trip_time;  ///< of all links together
  Bandwidth send_cap;       ///< what one request's transfer reaches alone: least of all per_flow and of what it crosses
  Bandwidth receive_cap;    ///< the same of an answer's
  /// Of the connections over the path; absent where their windows never limit.
  std::optional<SlowStart> slow_start{};
  SitePath links;  ///< from the client's site to the server's; empty on a platform file's route
  /// Requests, client to server: uplink out of the client's site, links, uplink into the server's site, network card or
  /// bus; each where it has a limit, and uplinks where the call leaves its site.
  std::vector<Crossing> send;
  /// Answers, server to client: the other directions of the same, in the same order. On a platform file's route the
  /// links are those of its routes, there and back, without fat pipes; a shared link is the same resource both ways.
  std::vector<Crossing> receive;
};

/// Where the resources of one server stand in RoutedResources::resources.
struct ServerResources {
  std::size_t devices = 0;
  std::optional<std::size_t> host;               ///< its input handling, where it has one
  std::map<std::string, std::size_t> instances;  ///< of the models whose instances do more than wait for the device
  std::map<std::string, std::size_t> slots{};    ///< of the models that keep the state of sequences
  std::optional<std::size_t> batch_workers{};    ///< that share the host parts of batches, where they do
};

/// How calls from one site reach one server.
struct Route {
  /// Absent for calls within one site that declares no link to itself, to a server that is not attached.
  std::optional<NetworkPath> network;
};

/// Every resource of a scenario, and the routes of all calls that the jobs make over them.
struct RoutedResources {
  std::vector<Resource> resources;
  std::vector<ServerResources> servers;                         ///< in the order of the scenario
  std::map<std::pair<std::string, std::size_t>, Route> routes;  ///< by (site of the jobs, index of the server)
  /// By pool: the cores of its jobs, where the streams of a job wait for them.
  std::vector<std::optional<std::size_t>> cores;
};

/// Lists the resources in the order of every output: each server's devices, then hosts and instances server by server,
/// then each direction of the links, of the uplinks, of the network cards and of the buses that are used, then the
/// cores of the pools whose jobs have more streams than cores.
///
/// Names: "<server>/<device type>"; "<server> host"; "<server> batch workers"; "<server> instances of <model>"; "<from>
/// to <to>" for a direction of a link, and for a link of a site to itself
/// "<site> to <site> requests" and "<site> to <site> answers"; "<site> uplink out" and "<site> uplink in";
/// "<server> nic in" and "<server> nic out"; "<server> bus in" and "<server> bus out"; "<pool> cores";
/// links of a platform file have their names there.
/// The units of a direction are its bandwidth over the cap of one flow (of the fastest, when caps differ).
/// @throws std::invalid_argument  a call between two sites without a path or route, or to an attached server of another
/// site
RoutedResources routed_resources(const Scenario& scenario);

/// Names of the resources that the two directions of one piece of the network are.
struct DirectionNames {
  std::string forth;
  std::string back;
};
/// From site_a to site_b, and back.
DirectionNames link_names(const Link& link);
/// Out of the site, and into it.
DirectionNames uplink_names(const std::string& site);
/// Into the server's nodes, and out of them: over their buses if it is attached, else over their network cards.
DirectionNames inlet_names(const Server& server);

/// Bandwidth of a link from site_b to site_a.
Bandwidth bandwidth_back(const Link& link);
/// What limits each node's traffic in each direction: the bus if the server is attached, else the network card if it
/// has a limit.
std::optional<Bandwidth> inlet_of(const Server& server);
/// Bandwidth of a site's uplink; nothing where it has no limit.
std::optional<Bandwidth> uplink_of(const Scenario& scenario, const std::string& site);

/// The resources of the servers alone, without the network.
std::vector<ServerResources> server_resources(const Scenario& scenario, std::vector<Resource>& resources);

/// Indices of the servers that hold the model, but for those on standby.
std::vector<std::size_t> servers_of(const Scenario& scenario, const std::string& model);
/// The same with those on standby.
std::vector<std::size_t> holders_of(const Scenario& scenario, const std::string& model);

/// Share of a whole device that the largest slice of the server's devices has; 1 when they are not divided [1].
double largest_share(const Server& server);

}  // namespace saturn
