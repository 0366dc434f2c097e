#include "scenarios/topology/routes.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>

#include "models/words/texts.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/simgrid_platform.hpp"

namespace saturn {

namespace {

/// Whole numbers, so that the sum is the same in whichever direction a path is added up.
std::uint64_t nanoseconds(Seconds time) {
  return static_cast<std::uint64_t>(std::llround(time.value * 1e9));
}

}  // namespace

std::pair<std::string, std::string> in_order(const std::string& a, const std::string& b) {
  return std::minmax(a, b);
}

SitePaths::SitePaths(const Scenario& scenario) : scenario_(scenario) {
  const auto number = [&](const std::string& site) {
    const auto [place, is_new] = numbers_.try_emplace(site, numbers_.size());
    if (is_new) neighbours_.emplace_back();
    return place->second;
  };
  for (std::size_t i = 0; i < scenario.links.size(); ++i) {
    const std::size_t a = number(scenario.links[i].site_a);
    const std::size_t b = number(scenario.links[i].site_b);
    neighbours_[a].push_back({b, {.link = i, .forth = true}});
    if (a != b) neighbours_[b].push_back({a, {.link = i, .forth = false}});
  }
  for (std::size_t i = 0; i < scenario.routes.size(); ++i)
    rules_.emplace(in_order(scenario.routes[i].site_a, scenario.routes[i].site_b), i);
}

std::optional<SitePath> SitePaths::between(const std::string& from, const std::string& to) {
  if (from == to) {
    const std::optional<LinkHop> hop = direct(from, to);
    return hop ? SitePath{*hop} : SitePath{};
  }
  if (const auto rule = rules_.find(in_order(from, to)); rule != rules_.end())
    return along(scenario_.routes[rule->second], from);
  const auto source = numbers_.find(from);
  const auto target = numbers_.find(to);
  if (source == numbers_.end() || target == numbers_.end()) return std::nullopt;
  if (source_ != source->second) spread_from(source->second);
  const Arrival* arrival = &arrivals_[target->second];
  if (arrival->hops == 0) return std::nullopt;
  SitePath path(arrival->hops);
  for (std::size_t hop = path.size(); hop-- > 0; arrival = &arrivals_[arrival->before]) path[hop] = arrival->hop;
  return path;
}

std::optional<LinkHop> SitePaths::direct(const std::string& from, const std::string& to) const {
  const auto a = numbers_.find(from);
  const auto b = numbers_.find(to);
  if (a == numbers_.end() || b == numbers_.end()) return std::nullopt;
  const std::vector<Neighbour>& neighbours = neighbours_[a->second];
  const auto found = std::find_if(neighbours.begin(), neighbours.end(),
                                  [&](const Neighbour& neighbour) { return neighbour.site == b->second; });
  if (found == neighbours.end()) return std::nullopt;
  return found->hop;
}

std::optional<SitePath> SitePaths::along(const RouteRule& rule, const std::string& from) const {
  std::vector<std::string> sites = rule.via;
  sites.insert(sites.begin(), rule.site_a);
  sites.push_back(rule.site_b);
  if (from != rule.site_a) std::reverse(sites.begin(), sites.end());
  SitePath path;
  for (std::size_t i = 0; i + 1 < sites.size(); ++i) {
    const std::optional<LinkHop> hop = direct(sites[i], sites[i + 1]);
    if (!hop) return std::nullopt;
    path.push_back(*hop);
  }
  return path;
}

void SitePaths::spread_from(std::size_t site) {
  source_ = site;
  arrivals_.assign(neighbours_.size(), {});
  // All sites one link further away at a time. A site takes its place among the reached with its first arrival, and its
  // best arrival of as many links is known before it is passed.
  std::vector<std::size_t> reached{site};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::size_t here = reached[i];
    const std::size_t hops = arrivals_[here].hops + 1;
    looked_at_ += neighbours_[here].size();
    for (const Neighbour& neighbour : neighbours_[here]) {
      Arrival& known = arrivals_[neighbour.site];
      if (neighbour.site == site || (known.hops != 0 && known.hops < hops)) continue;
      const Arrival found{.hops = hops,
                          .round_trip_ns = arrivals_[here].round_trip_ns +
                                           nanoseconds(scenario_.links[neighbour.hop.link].round_trip_time),
                          .before = here,
                          .hop = neighbour.hop};
      if (known.hops == 0) reached.push_back(neighbour.site);
      if (known.hops == 0 || prefers(found, known)) known = found;
    }
  }
}

/// Of two arrivals at one site after as many links. Which path has the link that stands first is decided by the links
/// in which they differ, so that both directions prefer the same one.
bool SitePaths::prefers(const Arrival& one, const Arrival& other) const {
  if (one.round_trip_ns != other.round_trip_ns) return one.round_trip_ns < other.round_trip_ns;
  std::size_t first_of_one = one.hop.link;
  std::size_t first_of_other = other.hop.link;
  for (std::size_t a = one.before, b = other.before; a != b; a = arrivals_[a].before, b = arrivals_[b].before) {
    first_of_one = std::min(first_of_one, arrivals_[a].hop.link);
    first_of_other = std::min(first_of_other, arrivals_[b].hop.link);
  }
  return first_of_one < first_of_other;
}

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
struct SiteConnection {
  std::string site;
  std::size_t server = 0;
  SitePath links;
  std::vector<Direction> send;
  std::vector<Direction> receive;
  std::optional<Seconds> round_trip_time;  // nothing where calls cross nothing
  Bandwidth send_cap{std::numeric_limits<double>::infinity()};
  Bandwidth receive_cap{std::numeric_limits<double>::infinity()};
  std::optional<SlowStart> slow_start;
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

  SiteConnection connection(const std::string& site, std::size_t server) {
    const Server& target = scenario_.servers[server];
    SiteConnection connection{.site = site,
                              .server = server,
                              .links = {},
                              .send = {},
                              .receive = {},
                              .round_trip_time = {},
                              .slow_start = {}};
    if (target.attached) {
      if (site != target.site)
        throw std::invalid_argument("routed_resources: jobs at " + site + " call devices attached at " + target.site);
      connection.send.push_back({Part::bus, server});
      connection.receive = opposites(connection.send);
      connection.round_trip_time = 2.0 * target.attached->latency;
    } else if (scenario_.platform) {
      if (site != target.site) follow_platform(connection, target);
    } else {
      follow_links(connection, target);
    }
    for (const Direction& direction : connection.send)
      connection.send_cap = std::min(connection.send_cap, of_one(direction));
    for (const Direction& direction : connection.receive)
      connection.receive_cap = std::min(connection.receive_cap, of_one(direction));
    return connection;
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
  void follow_links(SiteConnection& connection, const Server& target) {
    const std::optional<SitePath> path = paths_.between(connection.site, target.site);
    if (!path)
      throw std::invalid_argument("routed_resources: no path of links between " + connection.site + " and " +
                                  target.site);
    if (path->empty()) return;
    connection.links = *path;
    connection.send = directions(connection.site, target, connection.server, *path);
    connection.receive = opposites(connection.send);
    connection.round_trip_time = Seconds{};
    for (const LinkHop& hop : *path) {
      const Link& link = scenario_.links[hop.link];
      *connection.round_trip_time += link.round_trip_time;
      connection.send_cap = std::min(connection.send_cap, link.per_flow.value_or(connection.send_cap));
      connection.receive_cap = std::min(connection.receive_cap, link.per_flow.value_or(connection.receive_cap));
      if (!link.tcp) continue;
      // One connection goes over the whole path: the most careful of its links decides.
      if (!connection.slow_start) connection.slow_start = link.tcp;
      connection.slow_start->initial_window = std::min(connection.slow_start->initial_window, link.tcp->initial_window);
      connection.slow_start->idle_restart = std::min(connection.slow_start->idle_restart, link.tcp->idle_restart);
    }
  }

  void follow_platform(SiteConnection& connection, const Server& target) const {
    const PlatformNetwork& platform = *scenario_.platform;
    const PlatformRoute& there = platform_route(platform, connection.site, target.site);
    const PlatformRoute& back = platform_route(platform, target.site, connection.site);
    for (const std::size_t link : contended_links(platform, there))
      connection.send.push_back({Part::platform_link, link});
    for (const std::size_t link : contended_links(platform, back))
      connection.receive.push_back({Part::platform_link, link});
    // As everywhere, from the client's side to the server's.
    std::reverse(connection.receive.begin(), connection.receive.end());
    if (target.nic) {
      connection.send.push_back({Part::inlet, connection.server});
      connection.receive.push_back(connection.send.back().opposite());
    }
    connection.round_trip_time = there.latency + back.latency;
    connection.send_cap = least_bandwidth(platform, there);
    connection.receive_cap = least_bandwidth(platform, back);
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

std::vector<SiteConnection> connections_of_jobs(const Scenario& scenario, Crossings& crossings) {
  std::vector<SiteConnection> connections;
  std::set<std::pair<std::string, std::size_t>> seen;
  for (const ModelCall& call : model_calls(scenario))
    for (const std::size_t s : holders_of(scenario, call.infer.model))
      if (seen.insert({call.pool.site, s}).second) connections.push_back(crossings.connection(call.pool.site, s));
  return connections;
}

/// Numbers the resources of the network while they are listed.
class NetworkListing {
 public:
  NetworkListing(const Crossings& crossings, const std::vector<SiteConnection>& connections,
                 std::vector<Resource>& resources) {
    std::map<Direction, Bandwidth> fastest;
    for (const SiteConnection& connection : connections) {
      for (const Direction& direction : connection.send)
        fastest[direction] = std::max(fastest[direction], connection.send_cap);
      for (const Direction& direction : connection.receive)
        fastest[direction] = std::max(fastest[direction], connection.receive_cap);
    }
    for (const auto& [direction, cap] : fastest) {
      places_[direction] = {resources.size(), cap};
      resources.push_back(crossings.resource(direction, cap));
    }
  }

  NetworkPath path(const SiteConnection& connection) const {
    NetworkPath path{.round_trip_time = *connection.round_trip_time,
                     .send_cap = connection.send_cap,
                     .receive_cap = connection.receive_cap,
                     .slow_start = connection.slow_start,
                     .links = connection.links,
                     .send = {},
                     .receive = {}};
    for (const Direction& direction : connection.send) path.send.push_back(places_.at(direction));
    for (const Direction& direction : connection.receive) path.receive.push_back(places_.at(direction));
    return path;
  }

 private:
  std::map<Direction, Crossing> places_;
};

/// The cores for which streams wait, at the end of the list.
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

std::vector<std::size_t> holders_of(const Scenario& scenario, const std::string& model) {
  std::vector<std::size_t> holders;
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) {
    const std::vector<std::string>& models = scenario.servers[s].models;
    if (std::find(models.begin(), models.end(), model) != models.end()) holders.push_back(s);
  }
  return holders;
}

std::vector<std::size_t> servers_of(const Scenario& scenario, const std::string& model) {
  std::vector<std::size_t> servers = holders_of(scenario, model);
  std::erase_if(servers, [&](std::size_t server) { return scenario.servers[server].standby; });
  return servers;
}

RoutedResources routed_resources(const Scenario& scenario) {
  RoutedResources routed;
  routed.servers = server_resources(scenario, routed.resources);
  Crossings crossings(scenario);
  const std::vector<SiteConnection> connections = connections_of_jobs(scenario, crossings);
  const NetworkListing listing(crossings, connections, routed.resources);
  for (const SiteConnection& connection : connections) {
    Route route;
    if (connection.round_trip_time) route.network = listing.path(connection);
    routed.routes[{connection.site, connection.server}] = route;
  }
  routed.cores = list_cores(scenario, routed.resources);
  return routed;
}

}  // namespace saturn
