#include "scenarios/routes.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace saturn {

namespace {

/// One pair of site and server between which calls travel.
struct Leg {
  std::string site;
  std::size_t server = 0;
  const Link* link = nullptr;
};

const Link* link_between(const Scenario& scenario, const std::string& a, const std::string& b) {
  for (const Link& link : scenario.links) {
    if ((link.site_a == a && link.site_b == b) || (link.site_a == b && link.site_b == a)) return &link;
  }
  return nullptr;
}

std::vector<Leg> legs_of(const Scenario& scenario) {
  std::vector<Leg> legs;
  std::set<std::pair<std::string, std::size_t>> seen;
  for (const JobPool& pool : scenario.jobs) {
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr) continue;
      for (const std::size_t s : servers_of(scenario, infer->model)) {
        if (!seen.insert({pool.site, s}).second) continue;
        const std::string& to = scenario.servers[s].site;
        const Link* link = link_between(scenario, pool.site, to);
        if (link == nullptr && pool.site != to) {
          throw std::invalid_argument("routed_resources: no link between " + pool.site + " and " + to);
        }
        legs.push_back({.site = pool.site, .server = s, .link = link});
      }
    }
  }
  return legs;
}

Bandwidth flow_cap(const Link& link, const Server& server) {
  Bandwidth cap = std::min(link.bandwidth, link.per_flow.value_or(link.bandwidth));
  if (server.nic) cap = std::min(cap, *server.nic);
  return cap;
}

/// Numbers the resources of the network while they are listed.
class NetworkListing {
 public:
  NetworkListing(const Scenario& scenario, const std::vector<Leg>& legs, std::vector<Resource>& resources)
      : resources_(resources) {
    for (const Link& link : scenario.links) {
      if (const auto cap = fastest(scenario, legs, [&](const Leg& leg) { return leg.link == &link; })) {
        const bool within = link.site_a == link.site_b;
        const std::string forth = link.site_a + " to " + link.site_b;
        const std::string back = link.site_b + " to " + link.site_a;
        links_[&link] = add_pair(within ? forth + " requests" : forth, within ? back + " answers" : back,
                                 ResourceKind::link, link.bandwidth, *cap);
      }
    }
    for (std::size_t s = 0; s < scenario.servers.size(); ++s) {
      const Server& server = scenario.servers[s];
      if (!server.nic) continue;
      if (const auto cap = fastest(scenario, legs, [&](const Leg& leg) { return leg.link && leg.server == s; })) {
        cards_[s] = add_pair(server.name + " nic in", server.name + " nic out", ResourceKind::network_card,
                             *server.nic * static_cast<double>(server.nodes), *cap);
      }
    }
  }

  NetworkPath path(const Leg& leg, const Server& server) const {
    const bool forward = leg.site == leg.link->site_a;
    const Pair& link = links_.at(leg.link);
    NetworkPath path{.round_trip_time = leg.link->round_trip_time,
                     .flow_cap = flow_cap(*leg.link, server),
                     .send = {{forward ? link.forth : link.back, link.unit_rate}},
                     .receive = {{forward ? link.back : link.forth, link.unit_rate}}};
    if (const auto card = cards_.find(leg.server); card != cards_.end()) {
      path.send.push_back({card->second.forth, card->second.unit_rate});
      path.receive.push_back({card->second.back, card->second.unit_rate});
    }
    return path;
  }

 private:
  /// Both directions of a link or card.
  struct Pair {
    std::size_t forth = 0;
    std::size_t back = 0;
    Bandwidth unit_rate;
  };

  template <class Selects>
  static std::optional<Bandwidth> fastest(const Scenario& scenario, const std::vector<Leg>& legs,
                                          const Selects& selects) {
    std::optional<Bandwidth> cap;
    for (const Leg& leg : legs) {
      if (selects(leg)) cap = std::max(cap.value_or(Bandwidth{}), flow_cap(*leg.link, scenario.servers[leg.server]));
    }
    return cap;
  }

  Pair add_pair(const std::string& forth, const std::string& back, ResourceKind kind, Bandwidth whole, Bandwidth cap) {
    const double units = whole.value / cap.value;
    resources_.push_back({.name = forth, .kind = kind, .units = units});
    resources_.push_back({.name = back, .kind = kind, .units = units});
    return {.forth = resources_.size() - 2, .back = resources_.size() - 1, .unit_rate = cap};
  }

  std::vector<Resource>& resources_;
  std::map<const Link*, Pair> links_;
  std::map<std::size_t, Pair> cards_;
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
  const std::vector<Leg> legs = legs_of(scenario);
  const NetworkListing listing(scenario, legs, routed.resources);
  for (const Leg& leg : legs) {
    Route route;
    if (leg.link != nullptr) route.network = listing.path(leg, scenario.servers[leg.server]);
    routed.routes[{leg.site, leg.server}] = route;
  }
  routed.cores = list_cores(scenario, routed.resources);
  return routed;
}

}  // namespace saturn
