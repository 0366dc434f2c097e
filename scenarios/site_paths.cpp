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

}  // namespace saturn
