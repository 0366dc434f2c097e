#include "scenarios/routes.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <set>
#include <stdexcept>

#include "models/words/texts.hpp"
#include "scenarios/platform_routes.hpp"

namespace saturn {

namespace {

/// Parts of the network, in the order in which their resources are listed.
enum class Part { link, platform_link, uplink, inlet, bus };

/// One direction of a part of the network, or a link of a platform as a whole.
struct Direction {
  Part part = Part::link;
  std::size_t index = 0;  // of the link, site or server
  bool back = false;      // forth is site_a to site_b, out of the site, into the server; a platform link has only forth

  auto operator<=>(const Direction&) const = default;
  Direction opposite() const { return {part, index, !back}; }
};

/// One pair of site and server between which calls travel.
struct Leg {
  std::string site;
  std::size_t server = 0;
  SitePath links;
  std::vector<Direction> send;
  std::vector<Direction> receive;
  std::optional<Seconds> round_trip_time;  // nothing where calls cross nothing
  Bandwidth send_cap{std::numeric_limits<double>::infinity()};
  Bandwidth receive_cap{std::numeric_limits<double>::infinity()};
};

std::vector<Direction> opposites(std::vector<Direction> directions) {
  for (Direction& direction : directions) direction = direction.opposite();
  return directions;
}

/// Finds what calls cross, and what each direction carries.
class Crossings {
 public:
  explicit Crossings(const Scenario& scenario) : scenario_(scenario), paths_(scenario) {
    for (const auto& [name, site] : scenario.sites) sites_.push_back(name);
  }

  Leg leg(const std::string& site, std::size_t server) {
    const Server& target = scenario_.servers[server];
    Leg leg{.site = site, .server = server, .links = {}, .send = {}, .receive = {}, .round_trip_time = {}};
    if (target.attached) {
      if (site != target.site)
        throw std::invalid_argument("routed_resources: jobs at " + site + " call devices attached at " + target.site);
      leg.send.push_back({Part::bus, server});
      leg.receive = opposites(leg.send);
      leg.round_trip_time = 2.0 * target.attached->latency;
    } else if (scenario_.platform) {
      if (site != target.site) follow_platform(leg, target);
    } else {
      follow_links(leg, target);
    }
    for (const Direction& direction : leg.send) leg.send_cap = std::min(leg.send_cap, of_one(direction));
    for (const Direction& direction : leg.receive) leg.receive_cap = std::min(leg.receive_cap, of_one(direction));
    return leg;
  }

  /// Of all nodes together [byte/s].
  Bandwidth whole(const Direction& direction) const {
    const bool of_nodes = direction.part == Part::inlet || direction.part == Part::bus;
    return of_one(direction) * (of_nodes ? static_cast<double>(scenario_.servers[direction.index].nodes) : 1.0);
  }

  Resource resource(const Direction& direction, Bandwidth fastest) const {
    const auto listed = [&](const DirectionNames& names, ResourceKind kind) {
      return Resource{.name = direction.back ? names.back : names.forth,
                      .kind = kind,
                      .units = whole(direction).value / fastest.value};
    };
    switch (direction.part) {
      case Part::link:
        return listed(link_names(scenario_.links[direction.index]), ResourceKind::link);
      case Part::platform_link: {
        const std::string& name = scenario_.platform->links[direction.index].name;
        return listed({name, name}, ResourceKind::link);
      }
      case Part::uplink:
        return listed(uplink_names(sites_[direction.index]), ResourceKind::uplink);
      case Part::inlet:
        return listed(inlet_names(scenario_.servers[direction.index]), ResourceKind::network_card);
      case Part::bus:
        return listed(inlet_names(scenario_.servers[direction.index]), ResourceKind::bus);
    }
    throw std::logic_error("routed_resources: a part of the network without resources");
  }

 private:
  void follow_links(Leg& leg, const Server& target) {
    const std::optional<SitePath> path = paths_.between(leg.site, target.site);
    if (!path)
      throw std::invalid_argument("routed_resources: no path of links between " + leg.site + " and " + target.site);
    if (path->empty()) return;
    leg.links = *path;
    leg.send = directions(leg.site, target, leg.server, *path);
    leg.receive = opposites(leg.send);
    leg.round_trip_time = Seconds{};
    for (const LinkHop& hop : *path) {
      const Link& link = scenario_.links[hop.link];
      *leg.round_trip_time += link.round_trip_time;
      leg.send_cap = std::min(leg.send_cap, link.per_flow.value_or(leg.send_cap));
      leg.receive_cap = std::min(leg.receive_cap, link.per_flow.value_or(leg.receive_cap));
    }
  }

  void follow_platform(Leg& leg, const Server& target) const {
    const PlatformNetwork& platform = *scenario_.platform;
    const PlatformRoute& there = platform_route(platform, leg.site, target.site);
    const PlatformRoute& back = platform_route(platform, target.site, leg.site);
    for (const std::size_t link : contended_links(platform, there)) leg.send.push_back({Part::platform_link, link});
    for (const std::size_t link : contended_links(platform, back)) leg.receive.push_back({Part::platform_link, link});
    // As everywhere, from the client's side to the server's.
    std::reverse(leg.receive.begin(), leg.receive.end());
    if (target.nic) {
      leg.send.push_back({Part::inlet, leg.server});
      leg.receive.push_back(leg.send.back().opposite());
    }
    leg.round_trip_time = there.latency + back.latency;
    leg.send_cap = least_bandwidth(platform, there);
    leg.receive_cap = least_bandwidth(platform, back);
  }

  std::vector<Direction> directions(const std::string& site, const Server& target, std::size_t server,
                                    const SitePath& path) const {
    std::vector<Direction> crossed;
    const auto add_uplink = [&](const std::string& of, bool into) {
      if (site == target.site || !uplink_of(scenario_, of)) return;
      const auto place = std::lower_bound(sites_.begin(), sites_.end(), of);
      crossed.push_back({Part::uplink, static_cast<std::size_t>(place - sites_.begin()), into});
    };
    add_uplink(site, false);
    for (const LinkHop& hop : path) crossed.push_back({Part::link, hop.link, !hop.forth});
    add_uplink(target.site, true);
    if (target.nic) crossed.push_back({Part::inlet, server});
    return crossed;
  }

  /// Of one node, where the direction is that of nodes.
  Bandwidth of_one(const Direction& direction) const {
    switch (direction.part) {
      case Part::link: {
        const Link& link = scenario_.links[direction.index];
        return direction.back ? bandwidth_back(link) : link.bandwidth;
      }
      case Part::platform_link:
        return scenario_.platform->links[direction.index].bandwidth;
      case Part::uplink:
        return *uplink_of(scenario_, sites_[direction.index]);
      case Part::inlet:
      case Part::bus:
        return *inlet_of(scenario_.servers[direction.index]);
    }
    throw std::logic_error("routed_resources: a part of the network without a bandwidth");
  }

  const Scenario& scenario_;
  SitePaths paths_;
  std::vector<std::string> sites_;  // those that say something of themselves, sorted
};

std::vector<Leg> legs_of(const Scenario& scenario, Crossings& crossings) {
  std::vector<Leg> legs;
  std::set<std::pair<std::string, std::size_t>> seen;
  for (const JobPool& pool : scenario.jobs) {
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr) continue;
      for (const std::size_t s : servers_of(scenario, infer->model))
        if (seen.insert({pool.site, s}).second) legs.push_back(crossings.leg(pool.site, s));
    }
  }
  return legs;
}

/// Numbers the resources of the network while they are listed.
class NetworkListing {
 public:
  NetworkListing(const Crossings& crossings, const std::vector<Leg>& legs, std::vector<Resource>& resources) {
    std::map<Direction, Bandwidth> fastest;
    for (const Leg& leg : legs) {
      for (const Direction& direction : leg.send) fastest[direction] = std::max(fastest[direction], leg.send_cap);
      for (const Direction& direction : leg.receive) fastest[direction] = std::max(fastest[direction], leg.receive_cap);
    }
    for (const auto& [direction, cap] : fastest) {
      places_[direction] = {resources.size(), cap};
      resources.push_back(crossings.resource(direction, cap));
    }
  }

  NetworkPath path(const Leg& leg) const {
    NetworkPath path{.round_trip_time = *leg.round_trip_time,
                     .send_cap = leg.send_cap,
                     .receive_cap = leg.receive_cap,
                     .links = leg.links,
                     .send = {},
                     .receive = {}};
    for (const Direction& direction : leg.send) path.send.push_back(places_.at(direction));
    for (const Direction& direction : leg.receive) path.receive.push_back(places_.at(direction));
    return path;
  }

 private:
  std::map<Direction, Crossing> places_;
};

/// The cores for which event loops wait, at the end of the list.
std::vector<std::optional<std::size_t>> list_cores(const Scenario& scenario, std::vector<Resource>& resources) {
  std::vector<std::optional<std::size_t>> cores;
  for (const JobPool& pool : scenario.jobs) {
    cores.emplace_back();
    if (!shares_cores(pool)) continue;
    cores.back() = resources.size();
    resources.push_back({.name = pool.name + " cores",
                         .kind = ResourceKind::cpu,
                         .units = static_cast<double>(pool.count) * static_cast<double>(pool.threads),
                         .grows_with_clients = true});
  }
  return cores;
}

}  // namespace

DirectionNames link_names(const Link& link) {
  const bool within = link.site_a == link.site_b;
  return {link.site_a + " to " + link.site_b + (within ? " requests" : ""),
          link.site_b + " to " + link.site_a + (within ? " answers" : "")};
}

DirectionNames uplink_names(const std::string& site) {
  return {site + " uplink out", site + " uplink in"};
}

DirectionNames inlet_names(const Server& server) {
  const std::string inlet = server.name + (server.attached ? " bus" : " nic");
  return {inlet + " in", inlet + " out"};
}

Bandwidth bandwidth_back(const Link& link) {
  return link.bandwidth_back.value_or(link.bandwidth);
}

std::optional<Bandwidth> inlet_of(const Server& server) {
  return server.attached ? server.attached->bus : server.nic;
}

std::optional<Bandwidth> uplink_of(const Scenario& scenario, const std::string& site) {
  const auto found = scenario.sites.find(site);
  return found == scenario.sites.end() ? std::nullopt : found->second.uplink;
}

std::vector<std::size_t> servers_of(const Scenario& scenario, const std::string& model) {
  std::vector<std::size_t> found;
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) {
    const auto& held = scenario.servers[s].models;
    if (std::find(held.begin(), held.end(), model) != held.end()) found.push_back(s);
  }
  return found;
}

RoutedResources routed_resources(const Scenario& scenario) {
  RoutedResources routed;
  routed.servers = server_resources(scenario, routed.resources);
  Crossings crossings(scenario);
  const std::vector<Leg> legs = legs_of(scenario, crossings);
  const NetworkListing listing(crossings, legs, routed.resources);
  for (const Leg& leg : legs) {
    Route route;
    if (leg.round_trip_time) route.network = listing.path(leg);
    routed.routes[{leg.site, leg.server}] = route;
  }
  routed.cores = list_cores(scenario, routed.resources);
  return routed;
}

}  // namespace saturn
