#include "tests/engine/flow_topologies.hpp"

#include <algorithm>
#include <limits>

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

FlowTopology drawn_mesh(Dice& dice) {
  FlowTopology mesh;
  const std::size_t links = 1 + dice(8);
  for (std::size_t l = 0; l < links; ++l) mesh.capacities.push_back(static_cast<double>(10 * (1 + dice(6))));
  const std::size_t classes = 1 + dice(12);
  for (std::size_t c = 0; c < classes; ++c) {
    mesh.caps.push_back(static_cast<double>(1 + dice(12)));
    std::vector<std::size_t>& route = mesh.routes.emplace_back();
    const std::size_t hops = 1 + dice(6);
    for (std::size_t hop = 0; hop < hops; ++hop) {
      const std::size_t link = dice(links);
      if (std::find(route.begin(), route.end(), link) == route.end()) route.push_back(link);
    }
  }
  return mesh;
}

FlowTopology drawn_star(Dice& dice) {
  FlowTopology star;
  const std::size_t sites = 1 + dice(64);
  star.capacities.push_back(static_cast<double>(20 * (1 + dice(10))));
  const std::size_t caps = 1 + dice(3);  // of which there are so many different ones
  const std::size_t uplink = 4 + dice(200);
  for (std::size_t site = 0; site < sites; ++site) {
    star.capacities.push_back(static_cast<double>(uplink));
    star.caps.push_back(static_cast<double>(2 + 3 * dice(caps)));
    star.routes.push_back({0, site + 1});
  }
  return star;
}

FlowTopology drawn_grid(Dice& dice) {
  FlowTopology grid;
  const std::size_t sites = 1 + dice(6);
  const std::size_t servers = 2 + dice(3);
  for (std::size_t site = 0; site < sites; ++site) grid.capacities.push_back(static_cast<double>(40 + 10 * dice(12)));
  for (std::size_t server = 0; server < servers; ++server) {
    grid.capacities.push_back(static_cast<double>(20 + 10 * dice(6)));
    for (std::size_t site = 0; site < sites; ++site) {
      grid.caps.push_back(static_cast<double>(10 + 10 * dice(3)));
      grid.routes.push_back({site, sites + server});
    }
  }
  return grid;
}

std::vector<double> max_min_rates(const FlowTopology& topology, const std::vector<std::uint64_t>& flows) {
  std::vector<double> rates(flows.size(), 0.0);
  std::vector<double> left = topology.capacities;
  std::vector<char> open(flows.size());
  for (std::size_t c = 0; c < flows.size(); ++c) open[c] = flows[c] > 0;
  double level = 0.0;
  while (std::count(open.begin(), open.end(), 1) > 0) {
    std::vector<double> rising(left.size(), 0.0);
    double step = never;
    for (std::size_t c = 0; c < flows.size(); ++c) {
      if (!open[c]) continue;
      step = std::min(step, topology.caps[c] - level);
      for (const std::size_t l : topology.routes[c]) rising[l] += static_cast<double>(flows[c]);
    }
    for (std::size_t l = 0; l < left.size(); ++l)
      if (rising[l] > 0.0) step = std::min(step, left[l] / rising[l]);
    step = std::max(step, 0.0);
    level += step;
    for (std::size_t l = 0; l < left.size(); ++l) left[l] -= step * rising[l];
    for (std::size_t c = 0; c < flows.size(); ++c) {
      if (!open[c]) continue;
      rates[c] = level;
      open[c] = topology.caps[c] - level > 1e-12 * level;
      for (const std::size_t l : topology.routes[c])
        if (left[l] <= 1e-12 * topology.capacities[l]) open[c] = 0;
    }
  }
  return rates;
}

std::vector<double> ends_one_by_one(const FlowTopology& topology, const std::vector<DrawnFlow>& flows) {
  std::vector<double> ends(flows.size(), -1.0);
  std::vector<double> left(flows.size());
  std::vector<std::uint64_t> active(topology.caps.size(), 0);
  std::vector<std::size_t> present;
  std::size_t next = 0;
  double now = 0.0;
  while (next < flows.size() || !present.empty()) {
    const std::vector<double> rates = max_min_rates(topology, active);
    double date = next < flows.size() ? flows[next].start_s : never;
    std::size_t first = flows.size();
    for (const std::size_t i : present) {
      const double end = now + std::max(0.0, left[i]) / rates[flows[i].flow_class];
      if (end > date || (end == date && first < flows.size())) continue;
      date = end;
      first = i;
    }
    for (const std::size_t i : present) left[i] -= rates[flows[i].flow_class] * (date - now);
    now = date;
    if (first < flows.size()) {
      ends[first] = now;
      --active[flows[first].flow_class];
      present.erase(std::find(present.begin(), present.end(), first));
    } else {
      left[next] = flows[next].bytes;
      ++active[flows[next].flow_class];
      present.push_back(next++);
    }
  }
  return ends;
}
