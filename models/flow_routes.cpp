#include "models/flow_routes.hpp"

#include <algorithm>
#include <numeric>

namespace saturn {

namespace {

/// Each link points to another of its part, the last to itself.
std::size_t last_of(std::vector<std::size_t>& next, std::size_t link) {
  while (next[link] != link) link = next[link] = next[next[link]];
  return link;
}

}  // namespace

void FlowRoutes::complete() {
  std::vector<std::size_t> next(links.size());
  std::iota(next.begin(), next.end(), std::size_t{0});
  for (const Class& flow_class : classes)
    for (const std::size_t l : flow_class.links) next[last_of(next, l)] = last_of(next, flow_class.links.front());

  parts.assign(links.size() + 1, {});
  for (std::size_t l = 0; l < links.size(); ++l) {
    links[l].classes.clear();
    links[l].part = last_of(next, l);
    parts[links[l].part].links.push_back(l);
  }
  std::vector<std::size_t> by_cap(classes.size());
  std::iota(by_cap.begin(), by_cap.end(), std::size_t{0});
  std::stable_sort(by_cap.begin(), by_cap.end(),
                   [&](std::size_t a, std::size_t b) { return classes[a].cap < classes[b].cap; });
  for (const std::size_t c : by_cap) {
    Class& flow_class = classes[c];
    // Classes without links have nothing to do with any.
    flow_class.part = flow_class.links.empty() ? links.size() : links[flow_class.links.front()].part;
    parts[flow_class.part].classes.push_back(c);
    for (const std::size_t l : flow_class.links) links[l].classes.push_back(c);
  }
}

}  // namespace saturn
