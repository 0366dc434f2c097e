#include "sim/engine/platform.hpp"

#include <simgrid/s4u.hpp>

namespace s4u = simgrid::s4u;

namespace saturn {

namespace {

// Nothing is computed on SimGrid's hosts: CPU time is given in seconds. The speed only has to be positive.
constexpr double nominal_speed = 1e9;

std::string site_host(const std::string& site) {
  return "site:" + site;
}
std::string node_host(const Server& server, std::uint64_t node) {
  return "node:" + server.name + ":" + std::to_string(node);
}

}  // namespace

Platform::Platform(s4u::Engine& engine, const Scenario& scenario) : engine_(engine) {
  auto* zone = s4u::create_full_zone("saturn");
  std::set<std::string> sites;
  for (const JobPool& pool : scenario.jobs) sites.insert(pool.site);
  for (const std::string& site : sites) zone->create_host(site_host(site), nominal_speed)->seal();

  std::vector<s4u::SplitDuplexLink*> links;
  for (const Link& link : scenario.links) {
    const std::string name = "link:" + std::to_string(links.size());
    auto* duplex = zone->create_split_duplex_link(name, link.bandwidth.value);
    duplex->set_latency(link.round_trip_time.value / 2)->seal();
    links.push_back(duplex);
    // Resources are named as scenarios/routes.hpp names them.
    const bool within = link.site_a == link.site_b;
    add_channels(name, link.site_a + " to " + link.site_b + (within ? " requests" : ""),
                 link.site_b + " to " + link.site_a + (within ? " answers" : ""), link.bandwidth.value);
  }

  for (const Server& server : scenario.servers) {
    for (std::uint64_t node = 0; node < server.nodes; ++node) {
      auto* host = zone->create_host(node_host(server, node), nominal_speed);
      host->seal();
      s4u::SplitDuplexLink* card = nullptr;
      if (server.nic) {
        const std::string name = "card:" + server.name + ":" + std::to_string(node);
        card = zone->create_split_duplex_link(name, server.nic->value);
        card->set_latency(0.0)->seal();
        add_channels(name, server.name + " nic in", server.name + " nic out", server.nic->value);
      }
      for (const std::string& site : sites) {
        std::vector<s4u::LinkInRoute> route;
        for (std::size_t i = 0; i < scenario.links.size(); ++i) {
          const Link& link = scenario.links[i];
          if (link.site_a == site && link.site_b == server.site) {
            route.emplace_back(links[i], s4u::LinkInRoute::Direction::UP);
          } else if (link.site_b == site && link.site_a == server.site) {
            route.emplace_back(links[i], s4u::LinkInRoute::Direction::DOWN);
          }
        }
        // Calls within a site that declares no link to itself cost nothing; no job calls where no link leads.
        if (route.empty()) continue;
        if (card != nullptr) route.emplace_back(card, s4u::LinkInRoute::Direction::UP);
        routed_.emplace(site_host(site), node_host(server, node));
        zone->add_route(engine.host_by_name(site_host(site))->get_netpoint(), host->get_netpoint(), nullptr, nullptr,
                        route, true);
      }
    }
  }
  // The engine seals the zone when it runs; until then the links of "flows": "simgrid" may come beside it.
}

void Platform::add_channels(const std::string& link, const std::string& up, const std::string& down, double bandwidth) {
  for (const auto& [suffix, resource] : {std::pair{"_UP", up}, std::pair{"_DOWN", down}}) {
    channel_of_link_[link + suffix] = channels_.size();
    channels_.push_back({resource, bandwidth});
  }
}

Path Platform::to_node(const std::string& site, const Server& server, std::uint64_t node) const {
  return path(site_host(site), node_host(server, node));
}

Path Platform::from_node(const Server& server, std::uint64_t node, const std::string& site) const {
  return path(node_host(server, node), site_host(site));
}

Path Platform::path(const std::string& from, const std::string& to) const {
  Path path;
  std::vector<s4u::Link*> links;
  if (!routed_.contains({from, to}) && !routed_.contains({to, from})) return path;
  engine_.host_by_name(from)->route_to(engine_.host_by_name(to), links, &path.latency);
  for (const s4u::Link* link : links) path.channels.push_back(channel_of_link_.at(link->get_name()));
  return path;
}

}  // namespace saturn
