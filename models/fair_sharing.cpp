#include "models/fair_sharing.hpp"

#include <algorithm>
#include <limits>

namespace saturn {

std::size_t FairSharing::add_link(double capacity) {
  links_.push_back({.capacity = capacity});
  return links_.size() - 1;
}

std::size_t FairSharing::add_class(double cap, std::vector<std::size_t> links) {
  classes_.push_back({.cap = cap, .rate = cap, .links = std::move(links)});
  return classes_.size() - 1;
}

bool FairSharing::start(std::size_t flow_class) {
  ++classes_[flow_class].flows;
  return update(flow_class, 1.0);
}

bool FairSharing::finish(std::size_t flow_class) {
  --classes_[flow_class].flows;
  return update(flow_class, -1.0);
}

bool FairSharing::update(std::size_t flow_class, double sign) {
  const ClassState& mine = classes_[flow_class];
  bool touched = false;
  for (const std::size_t l : mine.links) {
    LinkState& link = links_[l];
    const bool was_crowded = link.crowded();
    link.wanted += sign * mine.cap;
    touched = touched || was_crowded || link.crowded();
  }
  // A link whose flows together want no more than it has never holds anyone back.
  if (!touched) return false;
  solve();
  return !changed_.empty();
}

void FairSharing::solve() {
  changed_.clear();
  for (LinkState& link : links_) {
    link.left = link.capacity;
    link.weight = 0.0;
  }
  std::size_t open = 0;
  before_.resize(classes_.size());
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    ClassState& flow_class = classes_[c];
    before_[c] = flow_class.rate;
    flow_class.rate = flow_class.cap;
    flow_class.open = false;
    if (flow_class.flows == 0) continue;
    for (const std::size_t l : flow_class.links) flow_class.open = flow_class.open || links_[l].crowded();
    if (!flow_class.open) continue;
    ++open;
    for (const std::size_t l : flow_class.links) links_[l].weight += static_cast<double>(flow_class.flows);
  }
  // Classes that cross no crowded link keep their cap, and take that much of the links they do cross.
  for (const ClassState& flow_class : classes_) {
    if (flow_class.open || flow_class.flows == 0) continue;
    for (const std::size_t l : flow_class.links)
      links_[l].left -= flow_class.cap * static_cast<double>(flow_class.flows);
  }
  // Progressive filling: raise all open rates together until a link is full or a cap is reached; settle those; repeat.
  while (open > 0) {
    double level = std::numeric_limits<double>::infinity();
    std::size_t fullest = links_.size();
    for (std::size_t l = 0; l < links_.size(); ++l) {
      if (links_[l].weight <= 0.0 || !links_[l].crowded()) continue;
      const double share = std::max(0.0, links_[l].left) / links_[l].weight;
      if (share < level) {
        level = share;
        fullest = l;
      }
    }
    bool capped = false;
    for (const ClassState& flow_class : classes_) capped = capped || (flow_class.open && flow_class.cap <= level);
    for (ClassState& flow_class : classes_) {
      if (!flow_class.open) continue;
      const bool held_here =
          std::find(flow_class.links.begin(), flow_class.links.end(), fullest) != flow_class.links.end();
      if (capped ? flow_class.cap > level : !held_here) continue;
      flow_class.rate = capped ? flow_class.cap : level;
      flow_class.open = false;
      --open;
      for (const std::size_t l : flow_class.links) {
        links_[l].left -= flow_class.rate * static_cast<double>(flow_class.flows);
        links_[l].weight -= static_cast<double>(flow_class.flows);
      }
    }
  }
  for (std::size_t c = 0; c < classes_.size(); ++c)
    if (classes_[c].rate != before_[c]) changed_.push_back(c);
}

}  // namespace saturn
