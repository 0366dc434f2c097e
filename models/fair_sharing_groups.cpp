// Which class is in which link's group, and what the groups take of the links that they cross.
#include <algorithm>

#include "models/fair_sharing.hpp"

namespace saturn {

void FairSharing::complete() {
  routes_.complete();
  complete_ = true;
}

void FairSharing::count_crossing(std::size_t link, std::size_t group, std::uint64_t flows, bool more) {
  const auto count = [&](std::uint64_t& counter) { counter = more ? counter + flows : counter - flows; };
  count(crossing(link, group).flows);
  if (!links_[link].has_group) return;
  count(links_[link].tangled);
  count(links_[group].tangled);
}

void FairSharing::count_member(std::size_t flow_class, std::uint64_t flows, bool more) {
  const std::size_t group = bottlenecks_[flow_class];
  for (const std::size_t l : routes_.classes[flow_class].links) {
    if (l == group) {
      links_[l].flows = more ? links_[l].flows + flows : links_[l].flows - flows;
    } else {
      count_crossing(l, group, flows, more);
    }
  }
}

void FairSharing::join(std::size_t flow_class) {
  const FlowRoutes::Class& mine = routes_.classes[flow_class];
  const std::size_t group = bottlenecks_[flow_class];
  if (group == at_cap) {
    for (const std::size_t l : mine.links) links_[l].fixed += mine.cap * static_cast<double>(mine.flows);
  } else {
    for (const std::size_t l : mine.links)
      if (l != group) add_crossing(l, group);
    count_member(flow_class, mine.flows, true);
  }
  for (const std::size_t l : mine.links) renew_threshold(l);
}

void FairSharing::leave(std::size_t flow_class) {
  const FlowRoutes::Class& mine = routes_.classes[flow_class];
  const std::size_t group = bottlenecks_[flow_class];
  if (group == at_cap) {
    for (const std::size_t l : mine.links) links_[l].fixed -= mine.cap * static_cast<double>(mine.flows);
    return;
  }
  count_member(flow_class, mine.flows, false);
  for (const std::size_t l : mine.links)
    if (l != group) remove_crossing(l, group);
}

FairSharing::Crossing& FairSharing::crossing(std::size_t link, std::size_t group) {
  std::vector<Crossing>& crossings = links_[link].crossings;
  return *std::find_if(crossings.begin(), crossings.end(), [&](const Crossing& c) { return c.group == group; });
}

void FairSharing::add_crossing(std::size_t number, std::size_t group_number) {
  LinkState& link = links_[number];
  for (Crossing& known : link.crossings) {
    if (known.group != group_number) continue;
    ++known.classes;
    return;
  }
  LinkState& group = links_[group_number];
  std::size_t place = group.crossed.size();
  if (group.free_places.empty()) {
    group.crossed.push_back(number);
    group.thresholds.add();
  } else {
    place = group.free_places.back();
    group.free_places.pop_back();
    group.crossed[place] = number;
  }
  if (link.crossings.size() == 1) {
    LinkState& first = links_[link.crossings.front().group];
    ++first.shared;
    first.thresholds.set(link.crossings.front().place, Tournament::none);
    link.crossings.front().bound = Tournament::none;
  }
  if (!link.crossings.empty()) ++group.shared;
  link.crossings.push_back({.group = group_number, .place = place, .classes = 1, .flows = 0});
}

void FairSharing::remove_crossing(std::size_t number, std::size_t group_number) {
  LinkState& link = links_[number];
  Crossing& gone = crossing(number, group_number);
  if (--gone.classes > 0) return;
  LinkState& group = links_[group_number];
  group.thresholds.set(gone.place, Tournament::none);
  group.free_places.push_back(gone.place);
  gone = link.crossings.back();
  link.crossings.pop_back();
  if (!link.crossings.empty()) --group.shared;
  if (link.crossings.size() == 1) --links_[link.crossings.front().group].shared;
}

/// Lowers the threshold of a link that only one group crosses, beside flows at their caps, where it no longer holds.
void FairSharing::renew_threshold(std::size_t number) {
  LinkState& link = links_[number];
  if (link.crossings.size() != 1) return;
  Crossing& only = link.crossings.front();
  const double flows = static_cast<double>(only.flows);
  const double room = link.limit - link.fixed;
  if (only.flows == 0 || only.bound * flows <= room) return;
  only.bound = 0.5 * room / flows;
  links_[only.group].thresholds.set(only.place, only.bound);
}

void FairSharing::fill(std::size_t number) {
  const FlowRoutes::Part& part = routes_.parts[number];
  ++fillings_;
  filling_.solve(routes_, number);
  for (const std::size_t l : part.links) clear_link(l);
  for (const std::size_t c : part.classes) {
    remember(c);
    bottlenecks_[c] = filling_.bottleneck(c);
    if (routes_.classes[c].flows == 0) place_empty_class(c);
  }
  for (const std::size_t l : part.links)
    if (links_[l].has_group) split_classes(l);
  for (const std::size_t c : part.classes) join(c);
}

void FairSharing::clear_link(std::size_t number) {
  LinkState& link = links_[number];
  const bool had_group = link.has_group;
  link.has_group = filling_.full(number);
  if (had_group || link.has_group) relevelled_.push_back(number);
  if (link.has_group) link.level = filling_.level(number);
  link.fixed = 0.0;
  link.crossings.clear();
  link.flows = 0;
  link.split = 0;
  link.tangled = 0;
  link.shared = 0;
  link.crossed.clear();
  link.free_places.clear();
  if (link.thresholds.places() > 0) link.thresholds.clear();
}

/// A class without flows goes where its next flow would be held back.
void FairSharing::place_empty_class(std::size_t flow_class) {
  double least = cap(flow_class);
  for (const std::size_t l : routes_.classes[flow_class].links) {
    if (!links_[l].has_group || links_[l].level >= least) continue;
    least = links_[l].level;
    bottlenecks_[flow_class] = l;
  }
}

/// Of a link's classes by cap, those before the first that it holds back go at their caps, or are of other groups.
void FairSharing::split_classes(std::size_t number) {
  const std::vector<std::size_t>& classes = routes_.links[number].classes;
  std::size_t split = 0;
  while (split < classes.size() && bottlenecks_[classes[split]] != number) ++split;
  // Rounding apart there is none behind it at its cap.
  for (std::size_t i = split; i < classes.size(); ++i)
    if (bottlenecks_[classes[i]] == at_cap) bottlenecks_[classes[i]] = number;
  set_split(number, split);
}

void FairSharing::set_split(std::size_t number, std::size_t split) {
  const std::vector<std::size_t>& classes = routes_.links[number].classes;
  LinkState& link = links_[number];
  link.split = split;
  link.lowest_cap = split < classes.size() ? cap(classes[split]) : Tournament::none;
  link.highest_cap = split > 0 ? cap(classes[split - 1]) : 0.0;
}

}  // namespace saturn
