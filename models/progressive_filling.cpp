#include "models/progressive_filling.hpp"

#include <algorithm>

namespace saturn {

void ProgressiveFilling::begin(const FlowRoutes& routes, const FlowRoutes::Part& part) {
  fills_.resize(routes.links.size());
  bottlenecks_.resize(routes.classes.size(), at_cap);
  settled_.resize(routes.classes.size());
  for (const std::size_t l : part.links) fills_[l] = {.left = routes.links[l].capacity};
  for (const std::size_t c : part.classes) {
    const FlowRoutes::Class& flow_class = routes.classes[c];
    bottlenecks_[c] = at_cap;
    settled_[c] = flow_class.flows == 0;
    if (flow_class.flows == 0) continue;
    const double flows = static_cast<double>(flow_class.flows);
    for (const std::size_t l : flow_class.links) {
      fills_[l].weight += flows;
      fills_[l].wanted += flows * flow_class.cap;
    }
  }
  shares_.clear();
  // A link whose flows together want no more than it has never holds anyone back.
  for (const std::size_t l : part.links)
    if (fills_[l].wanted > routes.links[l].capacity * (1.0 + 1e-12))
      shares_.push_back({routes.links[l].capacity / fills_[l].weight, l});
  std::make_heap(shares_.begin(), shares_.end());
}

void ProgressiveFilling::settle(const FlowRoutes& routes, std::size_t flow_class, double rate) {
  settled_[flow_class] = 1;
  const FlowRoutes::Class& settled = routes.classes[flow_class];
  const double flows = static_cast<double>(settled.flows);
  for (const std::size_t l : settled.links) {
    fills_[l].left -= rate * flows;
    fills_[l].weight -= flows;
  }
}

void ProgressiveFilling::solve(const FlowRoutes& routes, std::size_t number) {
  const FlowRoutes::Part& part = routes.parts[number];
  begin(routes, part);
  auto next = part.classes.begin();
  while (!shares_.empty()) {
    const auto [entered, fullest] = shares_.front();
    Fill& fill = fills_[fullest];
    const double share = fill.weight > 0.0 ? std::max(0.0, fill.left) / fill.weight : 0.0;
    if (fill.weight == 0.0 || share > entered) {
      // Every class that settles elsewhere leaves more to those still open, so entries of the heap only rise.
      std::pop_heap(shares_.begin(), shares_.end());
      shares_.pop_back();
      if (fill.weight == 0.0) continue;
      shares_.push_back({share, fullest});
      std::push_heap(shares_.begin(), shares_.end());
      continue;
    }
    while (next != part.classes.end() && settled_[*next]) ++next;
    if (routes.classes[*next].cap <= share) {
      settle(routes, *next, routes.classes[*next].cap);
      continue;
    }
    fill.full = true;
    fill.level = share;
    for (const std::size_t c : routes.links[fullest].classes) {
      if (settled_[c]) continue;
      bottlenecks_[c] = fullest;
      settle(routes, c, share);
    }
  }
}

}  // namespace saturn
