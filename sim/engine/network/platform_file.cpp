#include "sim/engine/network/platform_file.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>
#include <exception>
#include <map>
#include <string_view>

#include "sim/engine/simgrid_engine.hpp"

namespace s4u = simgrid::s4u;

namespace saturn {

namespace {

bool is_one_direction(const s4u::Link& link) {
  for (const std::string_view suffix : {"_UP", "_DOWN"}) {
    const std::string& name = link.get_name();
    if (!name.ends_with(suffix)) continue;
    try {
      const auto* both = s4u::SplitDuplexLink::by_name(name.substr(0, name.size() - suffix.size()));
      return both->get_link_up() == &link || both->get_link_down() == &link;
    } catch (const std::invalid_argument&) {
      // A plain link that happens to have such a name.
    }
  }
  return false;
}

PlatformLink described(const s4u::Link& link) {
  PlatformLink described{.name = link.get_name(), .bandwidth = Bandwidth{link.get_bandwidth()}};
  if (!(described.bandwidth.value > 0.0)) throw PlatformFault("the link \"" + described.name + "\" has no bandwidth");
  switch (link.get_sharing_policy()) {
    case s4u::Link::SharingPolicy::FATPIPE:
      described.sharing = LinkSharing::fatpipe;
      break;
    case s4u::Link::SharingPolicy::SHARED:
      described.sharing = is_one_direction(link) ? LinkSharing::one_direction : LinkSharing::shared;
      break;
    default:
      throw PlatformFault("the link \"" + described.name +
                          "\" is wireless or shared by a rule of its own; a platform here may have the sharing "
                          "policies SHARED, SPLITDUPLEX and FATPIPE");
  }
  return described;
}

const s4u::Host& host_of(const std::string& name) {
  const s4u::Host* host = simgrid_engine().host_by_name_or_null(name);
  if (host == nullptr) throw PlatformFault("it has no host \"" + name + "\"");
  return *host;
}

// What SimGrid throws has no common type below std::exception.
template <class Step>
void in_our_words(const std::string& what, Step step) {
  try {
    step();
  } catch (const PlatformFault&) {
    throw;
  } catch (const std::exception& error) {
    throw PlatformFault(what + error.what());
  }
}

}  // namespace

PlatformNetwork load_platform_file(const std::string& path, const std::vector<HostPair>& pairs) {
  in_our_words("SimGrid cannot load it: ", [&] { simgrid_engine().load_platform(path); });
  PlatformNetwork network;
  for (const s4u::Host* host : simgrid_engine().get_all_hosts()) network.hosts.push_back(host->get_name());
  std::sort(network.hosts.begin(), network.hosts.end());
  std::map<const s4u::Link*, std::size_t> number_of;
  for (const auto& [from, to] : pairs) {
    const s4u::Host& source = host_of(from);
    const s4u::Host& target = host_of(to);
    PlatformRoute route{.from = from, .to = to};
    std::vector<s4u::Link*> links;
    const std::string pair = "from \"" + from + "\" to \"" + to + "\"";
    in_our_words("SimGrid finds no route " + pair + ": ",
                 [&] { source.route_to(&target, links, &route.latency.value); });
    // SimGrid's fully routed zones answer with nothing where no route is declared.
    if (links.empty() && &source != &target) throw PlatformFault("no link leads " + pair);
    for (const s4u::Link* link : links) {
      const auto [place, added] = number_of.try_emplace(link, network.links.size());
      if (added) network.links.push_back(described(*link));
      route.links.push_back(place->second);
    }
    network.routes.push_back(route);
  }
  return network;
}

}  // namespace saturn
