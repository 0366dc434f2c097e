#include "sim/engine/network/platform.hpp"

#include <simgrid/s4u.hpp>

#include "scenarios/topology/simgrid_platform.hpp"
#include "sim/engine/simgrid_engine.hpp"

namespace s4u = simgrid::s4u;

namespace saturn {

namespace {

using Hops = std::vector<s4u::LinkInRoute>;
using Towards = s4u::LinkInRoute::Direction;

std::string site_host(const std::string& site) {
  return "site:" + site;
}
std::string node_host(const Server& server, std::uint64_t node) {
  return "node:" + server.name + ":" + std::to_string(node);
}

}  // namespace

Platform::Platform(s4u::Engine& engine, const Scenario& scenario) : engine_(engine) {
  auto* root = s4u::create_full_zone("saturn");
  make_links(*root, scenario);
  if (scenario.platform) make_platform_links(*root, *scenario.platform);
  std::map<std::string, Zone> sites;
  for (const JobPool& pool : scenario.jobs) {
    const auto [site, is_new] = sites.try_emplace(pool.site);
    if (!is_new) continue;
    site->second = make_zone(*root, "clients:" + pool.site);
    auto* host = site->second.zone->create_host(site_host(pool.site), nominal_speed);
    host->seal();
    site->second.zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, Hops{}, true);
  }
  std::vector<Zone> servers;
  for (const Server& server : scenario.servers) {
    const auto at_jobs = sites.find(server.site);
    if (server.attached && at_jobs != sites.end()) {
      servers.push_back(at_jobs->second);
    } else {
      servers.push_back(make_zone(*root, "server:" + server.name));
    }
    make_nodes(*servers.back().zone, server);
  }
  for (s4u::NetZone* zone : root->get_children()) zone->seal();

  for (const auto& [ends, route] : routed_resources(scenario).routes) {
    // Calls within a site that declares no link to itself cost nothing.
    if (!route.network) continue;
    const auto& [site, s] = ends;
    const Server& server = scenario.servers[s];
    caps_[{site, server.name}] = {route.network->send_cap.value, route.network->receive_cap.value,
                                  route.network->round_trip_time.value, route.network->slow_start};
    if (server.attached) continue;
    const Zone& from = sites.at(site);
    if (scenario.platform) {
      const PlatformNetwork& platform = *scenario.platform;
      add_platform_route(*root, from, servers[s], platform, platform_route(platform, site, server.site));
      add_platform_route(*root, servers[s], from, platform, platform_route(platform, server.site, site));
      continue;
    }
    root->add_route(from.zone->get_netpoint(), servers[s].zone->get_netpoint(), from.gate, servers[s].gate,
                    links_between(site, server.site, route.network->links), true);
  }
  // The engine seals the root when it runs; until then the links of "flows": "simgrid" may come beside it.
}

Platform::Zone Platform::make_zone(s4u::NetZone& root, const std::string& name) {
  // In a star each host has its own links and no others, so that thousands of nodes need no table of all pairs.
  auto* zone = s4u::create_star_zone(name);
  zone->set_parent(&root);
  return {zone, zone->create_router("gate of " + name)};
}

s4u::SplitDuplexLink* Platform::make_link(s4u::NetZone& zone, const DirectionNames& names, Bandwidth forth,
                                          Bandwidth back, Seconds latency) {
  const std::string name = "link:" + std::to_string(channels_.size());
  auto* link = zone.create_split_duplex_link(name, forth.value);
  link->get_link_down()->set_bandwidth(back.value);
  link->set_latency(latency.value)->seal();
  channel_of_link_[name + "_UP"] = channels_.size();
  channels_.push_back({names.forth, forth.value});
  channel_of_link_[name + "_DOWN"] = channels_.size();
  channels_.push_back({names.back, back.value});
  return link;
}

void Platform::make_links(s4u::NetZone& root, const Scenario& scenario) {
  for (const Link& link : scenario.links)
    links_.push_back(
        make_link(root, link_names(link), link.bandwidth, bandwidth_back(link), 0.5 * link.round_trip_time));
  for (const auto& [name, site] : scenario.sites)
    if (site.uplink) uplinks_[name] = make_link(root, uplink_names(name), *site.uplink, *site.uplink, Seconds{0.0});
}

void Platform::make_platform_links(s4u::NetZone& root, const PlatformNetwork& platform) {
  for (const PlatformLink& link : platform.links) {
    const std::string name = "link:" + std::to_string(channels_.size());
    platform_links_.push_back(nullptr);
    // Nobody contends for a fat pipe; it is in the caps of its transfers.
    if (link.sharing == LinkSharing::fatpipe) continue;
    platform_links_.back() = root.create_link(name, link.bandwidth.value);
    platform_links_.back()->set_latency(0.0)->seal();
    channel_of_link_[name] = channels_.size();
    channels_.push_back({link.name, link.bandwidth.value});
  }
}

void Platform::add_platform_route(s4u::NetZone& root, const Zone& from, const Zone& to, const PlatformNetwork& platform,
                                  const PlatformRoute& route) {
  auto* distance = root.create_link("distance:" + std::to_string(platform_routes_++), 1.0);
  distance->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)->set_latency(route.latency.value)->seal();
  Hops hops{s4u::LinkInRoute(distance)};
  for (const std::size_t link : contended_links(platform, route)) hops.emplace_back(platform_links_[link]);
  root.add_route(from.zone->get_netpoint(), to.zone->get_netpoint(), from.gate, to.gate, hops, false);
}

void Platform::make_nodes(s4u::NetZone& zone, const Server& server) {
  const std::optional<Bandwidth> inlet = inlet_of(server);
  const Seconds latency = server.attached ? server.attached->latency : Seconds{0.0};
  for (std::uint64_t node = 0; node < server.nodes; ++node) {
    auto* host = zone.create_host(node_host(server, node), nominal_speed);
    host->seal();
    Hops outwards;
    // A link's way up leads into the node, and a star wants the route that leads out.
    if (inlet) outwards.emplace_back(make_link(zone, inlet_names(server), *inlet, *inlet, latency), Towards::DOWN);
    zone.add_route(host->get_netpoint(), nullptr, nullptr, nullptr, outwards, true);
  }
}

Hops Platform::links_between(const std::string& site, const std::string& server_site, const SitePath& path) const {
  Hops route;
  const auto add_uplink = [&](const std::string& of, Towards direction) {
    const auto uplink = uplinks_.find(of);
    if (site != server_site && uplink != uplinks_.end()) route.emplace_back(uplink->second, direction);
  };
  add_uplink(site, Towards::UP);
  for (const LinkHop& hop : path) route.emplace_back(links_[hop.link], hop.forth ? Towards::UP : Towards::DOWN);
  add_uplink(server_site, Towards::DOWN);
  return route;
}

Path Platform::to_node(const std::string& site, const Server& server, std::uint64_t node) const {
  const auto caps = caps_.find({site, server.name});
  if (caps == caps_.end()) return {};
  Path found = path(site_host(site), node_host(server, node));
  found.cap = caps->second.send;
  found.round_trip_s = caps->second.round_trip_s;
  found.slow_start = caps->second.slow_start;
  return found;
}

Path Platform::from_node(const Server& server, std::uint64_t node, const std::string& site) const {
  const auto caps = caps_.find({site, server.name});
  if (caps == caps_.end()) return {};
  Path found = path(node_host(server, node), site_host(site));
  found.cap = caps->second.receive;
  found.round_trip_s = caps->second.round_trip_s;
  found.slow_start = caps->second.slow_start;
  return found;
}

Path Platform::path(const std::string& from, const std::string& to) const {
  Path path;
  std::vector<s4u::Link*> links;
  engine_.host_by_name(from)->route_to(engine_.host_by_name(to), links, &path.latency);
  for (const s4u::Link* link : links) {
    // Distances of a platform file's routes carry nothing.
    const auto channel = channel_of_link_.find(link->get_name());
    if (channel != channel_of_link_.end()) path.channels.push_back(channel->second);
  }
  return path;
}

}  // namespace saturn
