#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/closed_network.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// A resource that a flow occupies.
struct Crossing {
  std::size_t resource = 0;  ///< index into RoutedResources::resources
  Bandwidth unit_rate;       ///< of one of the resource's units: its bandwidth over its units
};

/// The network between the jobs of a site and a server.
struct NetworkPath {
  Seconds round_trip_time;
  Bandwidth flow_cap;             ///< what one transfer can reach alone: least of per_flow, link and network card
  std::vector<Crossing> send;     ///< requests, client to server: the link, then the network card if it has a limit
  std::vector<Crossing> receive;  ///< answers, server to client, in the same order
};

/// Where the resources of one server stand in RoutedResources::resources.
struct ServerResources {
  std::size_t devices = 0;
  std::optional<std::size_t> host;               ///< its input handling, where it has one
  std::map<std::string, std::size_t> instances;  ///< of the models whose instances do more than wait for the device
};

/// How calls from one site reach one server.
struct Route {
  std::optional<NetworkPath> network;  ///< absent for calls within one site that declares no link to itself
};

/// Every resource of a scenario, and the routes of all calls that the jobs make over them.
struct RoutedResources {
  std::vector<Resource> resources;
  std::vector<ServerResources> servers;                         ///< in the order of the scenario
  std::map<std::pair<std::string, std::size_t>, Route> routes;  ///< by (site of the jobs, index of the server)
  /// By pool: the cores of its jobs, where the event loops of a job wait for them.
  std::vector<std::optional<std::size_t>> cores;
};

/// Lists the resources in the order of every output: each server's devices, then hosts and instances server by server,
/// then each direction of each link that is used, then each direction of the network cards that are used, then the
/// cores of the pools whose jobs have more event loops than cores.
///
/// Names: "<server>/<device type>"; "<server> host"; "<server> instances of <model>"; "<from> to <to>" for a direction
/// of a link, and for a link of a site to itself
/// "<site> to <site> requests" and "<site> to <site> answers"; "<server> nic in" and "<server> nic out"; "<pool>
/// cores". The units of a link or card are its bandwidth over the cap of one flow (of the fastest, when caps differ).
/// @throws std::invalid_argument  a call between two sites without a link
RoutedResources routed_resources(const Scenario& scenario);

/// The resources of the servers alone, without the network.
std::vector<ServerResources> server_resources(const Scenario& scenario, std::vector<Resource>& resources);

/// Indices of the servers that hold the model.
std::vector<std::size_t> servers_of(const Scenario& scenario, const std::string& model);

/// Share of a whole device that the largest slice of the server's devices has; 1 when they are not divided [1].
double largest_share(const Server& server);

}  // namespace saturn
