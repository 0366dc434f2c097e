#include "scenarios/topology/cell.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "models/laws/arrival_law.hpp"
#include "models/values/units.hpp"

namespace saturn {

namespace {

/// So many of a count as a cell has.
class Share {
 public:
  Share(std::uint64_t parts, std::uint64_t of, double rounding)
      : parts_(static_cast<double>(parts)), of_(static_cast<double>(of)), rounding_(rounding) {}

  /// Takes a count to the nearest whole number. @returns whether that is near enough
  bool take(std::uint64_t& count) const {
    if (count == 0) return true;
    const double exact = static_cast<double>(count) * parts_ / of_;
    const double whole = std::max(1.0, std::round(exact));
    count = static_cast<std::uint64_t>(whole);
    return std::abs(whole - exact) <= rounding_ * exact;
  }

  template <class Quantity>
  void take_part(Quantity& quantity) const {
    quantity.value *= parts_ / of_;
  }

 private:
  double parts_;
  double of_;
  double rounding_;
};

struct ArrivalsOfShare {
  const Share& share;

  void operator()(TraceArrivals&) const { throw std::logic_error("recorded arrivals cannot be divided"); }
  void operator()(ProfileArrivals& profile) const {
    for (RatePoint& point : profile.points) share.take_part(point.rate);
  }
  void operator()(OnOffArrivals& source) const {
    share.take_part(source.rate);
    share.take_part(source.rate_off);
  }
  template <class Renewal>
  void operator()(Renewal& arrivals) const {
    share.take_part(arrivals.rate);
  }
};

bool take(JobPool& pool, const Share& share) {
  bool near = share.take(pool.count);
  if (pool.arrivals) std::visit(ArrivalsOfShare{share}, *pool.arrivals);
  if (pool.buffer) near = share.take(*pool.buffer) && near;
  return near;
}

void take_network(Scenario& cell, const Share& share) {
  for (Link& link : cell.links) {
    share.take_part(link.bandwidth);
    if (link.bandwidth_back) share.take_part(*link.bandwidth_back);
  }
  for (auto& [name, site] : cell.sites)
    if (site.uplink) share.take_part(*site.uplink);
}

/// Cores have to be enough for the threads of the jobs, whose numbers are rounded.
void take_cores(Scenario& cell, const Scenario& whole, double part) {
  for (auto& [name, site] : cell.sites) {
    if (!site.cores) continue;
    std::uint64_t needed = 0;
    for (const JobPool& pool : cell.jobs)
      if (pool.site == name) needed += pool.count * pool.threads;
    const double exact = part * static_cast<double>(*whole.sites.at(name).cores);
    site.cores = std::max(needed, static_cast<std::uint64_t>(std::llround(exact)));
  }
}

}  // namespace

std::uint64_t equal_parts(const Scenario& scenario) {
  if (scenario.servers.empty() || scenario.platform_file) return 1;
  for (const JobPool& pool : scenario.jobs)
    if (pool.arrivals && std::holds_alternative<TraceArrivals>(*pool.arrivals)) return 1;
  // What looks at a server as a whole does not look at a part of it.
  if (!scenario.outages.empty()) return 1;
  for (const Server& server : scenario.servers)
    if (server.autoscaler || server.rate_limit || server.admission) return 1;
  std::uint64_t parts = 0;
  for (const Server& server : scenario.servers) parts = std::gcd(parts, server.nodes);
  return std::max<std::uint64_t>(1, parts);
}

std::optional<FarmCell> cell_of(const Scenario& scenario, std::uint64_t parts, double rounding) {
  FarmCell cell{.scenario = scenario, .parts = parts, .of = equal_parts(scenario)};
  if (parts < 1 || parts > cell.of) throw std::invalid_argument("cell_of: a farm has no such part");
  const Share share(parts, cell.of, rounding);
  for (Server& server : cell.scenario.servers) server.nodes = server.nodes / cell.of * parts;
  for (JobPool& pool : cell.scenario.jobs)
    if (!take(pool, share)) return std::nullopt;
  take_network(cell.scenario, share);
  take_cores(cell.scenario, scenario, 1.0 / cell.factor());
  return cell;
}

}  // namespace saturn
