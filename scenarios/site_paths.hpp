#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/scenario.hpp"

namespace saturn {

/// A link as a path crosses it.
struct LinkHop {
  std::size_t link = 0;  ///< index into Scenario::links
  bool forth = true;     ///< from site_a to site_b

  bool operator==(const LinkHop&) const = default;
};

/// Two sites, whichever of them is named first.
std::pair<std::string, std::string> in_order(const std::string& a, const std::string& b);

/// The links that calls between two sites cross, one after the other.
using SitePath = std::vector<LinkHop>;

/// Finds the paths between the sites of a scenario, which must outlive it.
class SitePaths {
 public:
  explicit SitePaths(const Scenario& scenario);

  /// The path from one site to another; the one back is the same in reverse. It is the explicit route if there is one
  /// for the two sites; else the path with the fewest links; of several the one with the least round-trip time (a
  /// difference below a nanosecond is none), then the one whose links stand first in the scenario. Within one site it
  /// is the site's link to itself, or nothing.
  /// @returns nothing when the links do not join the two sites, or the explicit route passes neighbours without a link
  /// Cost: O(links × hops) for the first call from a site, then O(log sites)
  std::optional<SitePath> between(const std::string& from, const std::string& to);

 private:
  struct Neighbour {
    std::string site;
    LinkHop hop;
  };
  using Sites = std::pair<std::string, std::string>;

  std::optional<LinkHop> direct(const std::string& from, const std::string& to) const;
  std::optional<SitePath> along(const RouteRule& rule, const std::string& from) const;
  std::map<std::string, SitePath> shortest_from(const std::string& site) const;

  const Scenario& scenario_;
  std::map<std::string, std::vector<Neighbour>> neighbours_;
  std::map<Sites, std::size_t> rules_;                            // by their two sites in order
  std::map<std::string, std::map<std::string, SitePath>> found_;  // by from, then to
};

}  // namespace saturn
