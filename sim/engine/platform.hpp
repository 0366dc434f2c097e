#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scenarios/scenario.hpp"

namespace simgrid::s4u {
class Engine;
}  // namespace simgrid::s4u

namespace saturn {

/// One direction of a link, or of one node's network card, as SimGrid's platform has it.
struct Channel {
  std::string resource;    ///< name of the resource that it belongs to; the cards of a server share one
  double bandwidth = 0.0;  ///< [byte/s]
};

/// The way from a site to a node, or back, as SimGrid's routing gives it.
struct Path {
  std::vector<std::size_t> channels;  ///< numbers into Platform::channels()
  double latency = 0.0;               ///< one way [s]
};

/// The scenario's sites, nodes, links and routes as a SimGrid platform: a host for every client site and every server
/// node, a split-duplex link for every declared link and every network card.
class Platform {
 public:
  Platform(simgrid::s4u::Engine& engine, const Scenario& scenario);

  const std::vector<Channel>& channels() const { return channels_; }
  /// From a client site to a node of a server. No channels and no latency when nothing is declared between them.
  /// @param node  in [0, server.nodes)
  Path to_node(const std::string& site, const Server& server, std::uint64_t node) const;
  Path from_node(const Server& server, std::uint64_t node, const std::string& site) const;

 private:
  void add_channels(const std::string& link, const std::string& up, const std::string& down, double bandwidth);
  Path path(const std::string& from, const std::string& to) const;

  simgrid::s4u::Engine& engine_;
  std::vector<Channel> channels_;
  std::unordered_map<std::string, std::size_t> channel_of_link_;  // by SimGrid's name of the direction
  std::set<std::pair<std::string, std::string>> routed_;          // pairs of hosts with a declared route
};

}  // namespace saturn
