#pragma once

#include <cstddef>
#include <cstdint>
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
  /// Cost: O(links) for a call from another site than before, if few paths are equally good, and no more than the hops
  /// of the path for further calls from it; O(links) memory, whatever was asked
  std::optional<SitePath> between(const std::string& from, const std::string& to);

  /// Ends of links that were looked at so far: what the calls have cost, and what grows with the network.
  std::uint64_t looked_at() const { return looked_at_; }

 private:
  struct Neighbour {
    std::size_t site = 0;
    LinkHop hop;
  };
  using Sites = std::pair<std::string, std::string>;
  /// How the best path to a site arrives there.
  struct Arrival {
    std::size_t hops = 0;  ///< none: not reached
    std::uint64_t round_trip_ns = 0;
    std::size_t before = 0;  ///< the site before it
    LinkHop hop;
  };

  std::optional<LinkHop> direct(const std::string& from, const std::string& to) const;
  std::optional<SitePath> along(const RouteRule& rule, const std::string& from) const;
  void spread_from(std::size_t site);
  bool prefers(const Arrival& one, const Arrival& other) const;

  const Scenario& scenario_;
  std::map<std::string, std::size_t> numbers_;      // of the sites at which links end
  std::vector<std::vector<Neighbour>> neighbours_;  // by site
  std::map<Sites, std::size_t> rules_;              // by their two sites in order
  std::optional<std::size_t> source_;               // of the paths that are known
  std::vector<Arrival> arrivals_;                   // by site
  std::uint64_t looked_at_ = 0;
};

}  // namespace saturn
