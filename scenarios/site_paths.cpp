#include "scenarios/site_paths.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace saturn {

namespace {

/// Whole numbers, so that the sum is the same in whichever direction a path is added up.
std::uint64_t nanoseconds(Seconds time) {
  return static_cast<std::uint64_t>(std::llround(time.value * 1e9));
}

/// A path with what decides between it and others of as many links.
struct Candidate {
  std::uint64_t round_trip_ns = 0;
  std::vector<std::size_t> links;  // in the scenario's order, so that both directions prefer the same path
  SitePath path;

  bool operator<(const Candidate& other) const {
    return round_trip_ns != other.round_trip_ns ? round_trip_ns < other.round_trip_ns : links < other.links;
  }
};

}  // namespace

std::pair<std::string, std::string> in_order(const std::string& a, const std::string& b) {
  return std::minmax(a, b);
}

SitePaths::SitePaths(const Scenario& scenario) : scenario_(scenario) {
  for (std::size_t i = 0; i < scenario.links.size(); ++i) {
    const Link& link = scenario.links[i];
    neighbours_[link.site_a].push_back({link.site_b, {.link = i, .forth = true}});
    if (link.site_a != link.site_b) neighbours_[link.site_b].push_back({link.site_a, {.link = i, .forth = false}});
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
  const auto [paths, is_new] = found_.try_emplace(from);
  if (is_new) paths->second = shortest_from(from);
  const auto path = paths->second.find(to);
  if (path == paths->second.end()) return std::nullopt;
  return path->second;
}

std::optional<LinkHop> SitePaths::direct(const std::string& from, const std::string& to) const {
  const auto neighbours = neighbours_.find(from);
  if (neighbours == neighbours_.end()) return std::nullopt;
  const auto found = std::find_if(neighbours->second.begin(), neighbours->second.end(),
                                  [&](const Neighbour& neighbour) { return neighbour.site == to; });
  if (found == neighbours->second.end()) return std::nullopt;
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

std::map<std::string, SitePath> SitePaths::shortest_from(const std::string& site) const {
  std::map<std::string, SitePath> paths{{site, {}}};
  std::map<std::string, Candidate> reached{{site, {}}};
  while (!reached.empty()) {
    // All sites one link further away, each with its best path of so many links.
    std::map<std::string, Candidate> next;
    for (const auto& [here, so_far] : reached) {
      const auto neighbours = neighbours_.find(here);
      if (neighbours == neighbours_.end()) continue;
      for (const auto& [there, hop] : neighbours->second) {
        if (paths.contains(there)) continue;
        Candidate longer = so_far;
        longer.round_trip_ns += nanoseconds(scenario_.links[hop.link].round_trip_time);
        longer.links.insert(std::upper_bound(longer.links.begin(), longer.links.end(), hop.link), hop.link);
        longer.path.push_back(hop);
        const auto [best, is_new] = next.try_emplace(there, longer);
        if (!is_new && longer < best->second) best->second = std::move(longer);
      }
    }
    for (const auto& [there, best] : next) paths[there] = best.path;
    reached = std::move(next);
  }
  return paths;
}

}  // namespace saturn
